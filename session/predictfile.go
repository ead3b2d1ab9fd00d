package session

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// PredictInto is Predict into the file at a path, which is written as a whole or not at
// all: until everything was predicted, what was there stays. It must not be the file that
// is read. A pipe or a device is written row by row.
func (r *Record) PredictInto(
	ctx context.Context, name string, in io.Reader, out string, o PredictOptions,
) (*Predicted, error) {
	path, whole, err := destination(out, in)
	if err != nil {
		return nil, err
	}
	if !whole {
		return r.predictOnto(ctx, name, in, path, o)
	}
	var done *Predicted
	var refused error
	err = files.ReplaceAt(files.OS, path, func(w io.Writer) error {
		done, refused = r.Predict(ctx, name, in, w, o)
		return refused
	})
	if refused != nil {
		return nil, refused // It is not about the file that is written.
	}
	return done, err
}

// predictOnto is PredictInto something that is no regular file.
func (r *Record) predictOnto(
	ctx context.Context, name string, in io.Reader, out string, o PredictOptions,
) (*Predicted, error) {
	file, err := openSink(ctx, out)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { file.Close() }) // Nobody may read what is written.
	done, err := r.Predict(ctx, name, in, file, o)
	if !stop() {
		return nil, ctx.Err()
	}
	closed := file.Close()
	if err == nil {
		err = closed
	}
	return done, err
}

// openSink opens a pipe or a device for writing. It waits for somebody to read a pipe, as long
// as ctx lasts.
func openSink(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		done <- opened{file, err}
	}()
	select {
	case got := <-done:
		return got.file, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// destination returns the path to write to, that of the file itself for a link, and
// whether it is or will be a regular file. It refuses a folder and the file that in reads.
func destination(path string, in io.Reader) (target string, regular bool, err error) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return path, true, nil
	case err != nil:
		return "", false, err
	case info.IsDir():
		return "", false, fmt.Errorf("%s is a folder; name a file to write to", path)
	}
	if source, ok := in.(interface{ Stat() (fs.FileInfo, error) }); ok && info.Mode().IsRegular() {
		if read, err := source.Stat(); err == nil && os.SameFile(read, info) {
			return "", false, fmt.Errorf("%s is the file that is read; write to another one", path)
		}
	}
	target, err = filepath.EvalSymlinks(path)
	return target, info.Mode().IsRegular(), err
}
