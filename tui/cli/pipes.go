package cli

import (
	"context"
	"io"
	"os"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/tui/kit"
)

// standardInput is the path of standard input on systems that have one.
const standardInput = "/dev/stdin"

// input opens an input named on the command line: standard input, a pipe or a file. Before it reads from
// standard input or a pipe, it prints a message. This reading ends when ctx is done.
func (c *console) input(ctx context.Context, path string) (io.ReadCloser, error) {
	if path == standard {
		if file, ok := c.In.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				return keptOpen{file}, nil
			}
		}
		c.say("reading standard input")
		return files.ReadUntil(ctx, c.In), nil
	}
	if files.IsPipe(path) {
		c.say("reading the pipe %s", path)
		return files.OpenPipe(ctx, path), nil
	}
	return files.OpenLinked(path)
}

// keptOpen is a file that must not be closed.
type keptOpen struct{ *os.File }

// Close does nothing.
func (keptOpen) Close() error { return nil }

// dataset returns the name of a data set as it is stored in a run.
func dataset(name string) string {
	if name == standard {
		return standardInput
	}
	return kit.ExpandPath(name)
}

// pipedData reads the named data set if it is standard input or a pipe. It returns nil for other
// data sets.
func (c *console) pipedData(ctx context.Context, name string) (*files.StoredPipe, error) {
	if info, err := datasets.Lookup(name); err == nil && info.Kind != datasets.File {
		return nil, nil
	}
	path := name
	switch {
	case name == standardInput:
		path = standard
	case !files.IsPipe(name):
		return nil, nil
	}
	in, err := c.input(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return files.StorePipe(name, in)
}
