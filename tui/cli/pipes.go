package cli

import (
	"context"
	"io"
	"os"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/tui/picker"
)

// standardInput is the path of standard input, where a system has one.
const standardInput = "/dev/stdin"

// input opens what a person named on the command line to be read: standard input, a pipe or a
// file. Where it is no file, a message says so, and reading ends when ctx has ended.
func (c *console) input(ctx context.Context, path string) (io.ReadCloser, error) {
	if path == standard {
		if file, ok := c.In.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				return keptOpen{file}, nil
			}
		}
		c.say("reading standard input")
		return files.Until(ctx, c.In), nil
	}
	if files.IsPipe(path) {
		c.say("reading the pipe %s", path)
		return files.OpenPipe(ctx, path), nil
	}
	return files.OpenLinked(path)
}

// keptOpen is a file that others may read, too.
type keptOpen struct{ *os.File }

// Close does nothing.
func (keptOpen) Close() error { return nil }

// dataset returns the name of a data set as a run has it.
func dataset(name string) string {
	if name == standard {
		return standardInput
	}
	return picker.Expand(name)
}

// pipedData reads a data set that a person named, if that is standard input or a pipe. The
// result is nil for other data sets.
func (c *console) pipedData(ctx context.Context, name string) (*datasets.Pipe, error) {
	if info, err := datasets.Lookup(name); err == nil && info.Kind != datasets.File {
		return nil, nil
	}
	switch {
	case name == standardInput:
		name = standard
	case !files.IsPipe(name):
		return nil, nil
	}
	in, err := c.input(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return datasets.ReadPipe(in)
}
