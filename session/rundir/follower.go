package rundir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// Follower reads the report lines of a run as they are appended by this or another process.
type Follower struct {
	path   string
	offset int64
	step   int // step of the last returned line
}

// Follow returns a Follower for the run in dir (see Info.Dir). It starts at the first line.
func Follow(dir string) *Follower {
	return &Follower{path: filepath.Join(dir, metricsName)}
}

// Next returns the lines completed since the last call. If restarted is true, the run was resumed from an
// earlier checkpoint: points holds all lines of the run, and previously returned lines are void. A missing
// file has no lines.
func (f *Follower) Next() (points []Point, restarted bool, err error) {
	file, err := files.Open(files.OS, f.path)
	if os.IsNotExist(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	points, err = f.read(file)
	if err == nil {
		return points, false, nil
	}
	// The file was truncated and may have grown again. Reading from the beginning also detects damage.
	f.offset, f.step = 0, 0
	points, err = f.read(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.path, err)
	}
	return points, true, err
}

// read returns the complete lines after the offset. It returns an error if they do not continue the
// lines read before.
func (f *Follower) read(file files.File) ([]Point, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < f.offset {
		return nil, errors.New("the file was truncated")
	}
	text := io.NewSectionReader(file, f.offset, info.Size()-f.offset)
	var points []Point
	n, err := parseLines(text, f.step, func(p Point, _ int64) bool {
		f.step = p.Step
		points = append(points, p)
		return true
	})
	f.offset += n
	return points, err
}
