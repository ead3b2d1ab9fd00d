package rundir

import (
	"fmt"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// pendingCap bounds the bytes that wait for a disk that refuses them.
const pendingCap = 1 << 20

// metricsLog appends report lines to metrics.jsonl. A line that cannot be written
// (a full disk) waits in memory and is tried again with the next one; what was
// half written is cut off again, so that the file never ends in half a line
// while the process lives. It belongs to the trainer's goroutine.
type metricsLog struct {
	file    files.File
	offset  int64  // where the next line goes
	ragged  bool   // something stands behind it
	last    int64  // where the last line that was added begins, in the file or in pending
	step    int    // of that line; 0 for none
	pending []byte // lines not yet in the file
	lost    int    // lines given up because pending was full
}

// openMetrics opens or creates the log of dir for appending at offset. What stands
// behind it stays until cut, or the first line.
func openMetrics(dir string, offset int64) (*metricsLog, error) {
	file, err := files.OS.OpenFile(filepath.Join(dir, metricsName), os.O_RDWR|os.O_CREATE, files.Mode)
	if err != nil {
		return nil, err
	}
	return &metricsLog{file: file, offset: offset, ragged: true}, nil
}

// cut cuts off what stands behind the lines.
func (l *metricsLog) cut() error {
	if !l.ragged {
		return nil
	}
	if err := l.file.Truncate(l.offset); err != nil {
		return err
	}
	l.ragged = false
	return nil
}

// add appends one line; one of the step of the last line takes its place. After an
// error the line is kept for later unless too many wait already.
func (l *metricsLog) add(p Point) error {
	if l.step > 0 && p.Step == l.step {
		l.drop()
	}
	if len(l.pending) > pendingCap {
		l.lost++
	} else {
		l.last, l.step = l.offset+int64(len(l.pending)), p.Step
		l.pending = append(p.AppendJSON(l.pending, ""), '\n')
	}
	return l.flush()
}

// drop forgets the last line. In the file it stands until another one is there.
func (l *metricsLog) drop() {
	if waiting := l.last - l.offset; waiting >= 0 {
		l.pending = l.pending[:waiting]
		return
	}
	l.offset, l.pending, l.ragged = l.last, l.pending[:0], true
}

func (l *metricsLog) flush() error {
	if len(l.pending) == 0 {
		return nil
	}
	if _, err := l.file.WriteAt(l.pending, l.offset); err != nil {
		_ = l.file.Truncate(l.offset) // best effort; a reader also stops at a torn line
		return fmt.Errorf("write %s: %w", metricsName, files.Plain(err))
	}
	l.offset += int64(len(l.pending))
	l.pending = l.pending[:0]
	return l.cut()
}

// sync makes all lines durable.
func (l *metricsLog) sync() error {
	if err := l.flush(); err != nil {
		return err
	}
	return l.file.Sync()
}

func (l *metricsLog) close() error {
	err := l.sync()
	if closed := l.file.Close(); err == nil {
		err = closed
	}
	return err
}
