package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
	"dgplab/session/interrupt"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// PredictInto is like Predict but writes to the file at a path. It replaces a regular file only after all
// rows have been predicted; to a pipe or a device it writes row by row. The output must not be the input
// file.
func PredictInto(
	ctx context.Context, run rundir.Info, name string, in io.Reader, out string, o PredictOptions,
) (*probe.Predicted, error) {
	path, whole, err := destination(out, in)
	if err != nil {
		return nil, err
	}
	if !whole {
		return predictToDevice(ctx, run, name, in, path, o)
	}
	var done *probe.Predicted
	var refused error
	err = files.ReplaceAt(files.OS, path, func(w io.Writer) error {
		done, refused = Predict(ctx, run, name, in, w, o)
		return refused
	})
	if refused != nil {
		return nil, refused // The error is not about the output file.
	}
	return done, err
}

// predictToDevice is PredictInto for an output that is not a regular file.
func predictToDevice(
	ctx context.Context, run rundir.Info, name string, in io.Reader, out string, o PredictOptions,
) (*probe.Predicted, error) {
	// Opening a pipe waits for its reader.
	file, err := interrupt.Call(ctx, func() (*os.File, error) { return os.OpenFile(out, os.O_WRONLY, 0) })
	if errors.Is(err, interrupt.ErrAbandoned) {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { file.Close() }) // Unblock the write if nobody reads the pipe.
	done, err := Predict(ctx, run, name, in, file, o)
	if !stop() {
		return nil, ctx.Err()
	}
	closed := file.Close()
	if err == nil {
		err = closed
	}
	return done, err
}

// destination resolves links, returns the path to write and reports whether it is or will be a regular file.
// It returns an error for a folder and for the file that in reads from.
func destination(path string, in io.Reader) (target string, regular bool, err error) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return path, true, nil
	case err != nil:
		return "", false, err
	case info.IsDir():
		return "", false, fmt.Errorf("%s is a folder; give a file to write to", path)
	}
	if source, ok := in.(interface{ Stat() (fs.FileInfo, error) }); ok && info.Mode().IsRegular() {
		if read, err := source.Stat(); err == nil && os.SameFile(read, info) {
			return "", false, fmt.Errorf("%s is the input file; write to another file", path)
		}
	}
	target, err = filepath.EvalSymlinks(path)
	return target, info.Mode().IsRegular(), err
}
