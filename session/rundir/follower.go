package rundir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// Follower reads the report lines of a run as they are appended, by this process
// or another one.
type Follower struct {
	path   string
	offset int64
	step   int // of the last line returned
}

// Follow returns a Follower of the run in dir (see Info.Dir),
// from its first line on.
func Follow(dir string) *Follower {
	return &Follower{path: filepath.Join(dir, metricsName)}
}

// Next returns the lines that were completed since the last call, perhaps none.
// restarted says that lines returned before no longer hold, because the run was
// resumed from a checkpoint that is older than they are: points then holds every
// line of the run. A run without lines is no error.
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
	// The file was cut, and has perhaps grown again: what stands at the old
	// offset is no new line. If it is damage instead, it is found again.
	f.offset, f.step = 0, 0
	points, err = f.read(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.path, err)
	}
	return points, true, err
}

// read returns the whole lines from the offset on. It fails if they do not
// continue what was read before.
func (f *Follower) read(file files.File) ([]Point, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < f.offset {
		return nil, errors.New("the file is shorter than it was")
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
