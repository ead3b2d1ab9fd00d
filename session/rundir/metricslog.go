package rundir

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// pendingCap bounds the bytes that wait for a disk that refuses them.
const pendingCap = 1 << 20

// metricsLog appends report lines to metrics.jsonl. A line that cannot be written
// (a full disk) waits in memory and is tried again with the next one; what was
// half written is cut off again, so that the file never ends in half a line
// while the process lives. It belongs to the trainer's goroutine.
type metricsLog struct {
	file    *os.File
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
	file, err := os.OpenFile(filepath.Join(dir, metricsName), os.O_RDWR|os.O_CREATE, 0o644)
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
		return fmt.Errorf("write %s: %w", metricsName, err)
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

// parseLines calls visit for every whole line of text, with the offset behind
// it, and returns the number of bytes in whole lines. What follows the last
// newline is a line that is still being written, or was torn by a crash: the end
// of the data. Damage before it is an error that says where; visit may end the
// reading by returning false.
func parseLines(text []byte, visit func(p Point, end int64) bool) (int64, error) {
	var done int64
	for {
		n := bytes.IndexByte(text[done:], '\n')
		if n < 0 {
			return done, nil
		}
		line := text[done : done+int64(n)]
		var p Point
		if err := json.Unmarshal(line, &p); err != nil {
			return done, fmt.Errorf("damaged at byte %d: %w", done, jsonError(err))
		}
		done += int64(n) + 1
		if !visit(p, done) {
			return done, nil
		}
	}
}

// ReadPoints feeds the report lines of dir to visit, up to the first one that keep
// does not accept, and returns the offset behind the lines that it fed. A missing
// file has no lines.
func ReadPoints(dir string, keep func(Point) bool, visit func(Point)) (int64, error) {
	text, err := os.ReadFile(filepath.Join(dir, metricsName))
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var offset int64
	_, err = parseLines(text, func(p Point, end int64) bool {
		if !keep(p) {
			return false
		}
		offset = end
		visit(p)
		return true
	})
	if err != nil {
		return offset, fmt.Errorf("%s: %w", filepath.Join(dir, metricsName), err)
	}
	return offset, nil
}

// lastPoint returns the last whole report line, reading only the end of the file;
// noPoint if there is none.
func lastPoint(dir string) Point {
	const tail = 4096 // many lines
	file, err := os.Open(filepath.Join(dir, metricsName))
	if err != nil {
		return noPoint
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return noPoint
	}
	first := max(0, stat.Size()-tail)
	text, err := io.ReadAll(io.NewSectionReader(file, first, tail))
	if err != nil {
		return noPoint
	}
	if first > 0 { // begin with a whole line
		_, rest, _ := strings.Cut(string(text), "\n")
		text = []byte(rest)
	}
	last := noPoint
	_, _ = parseLines(text, func(p Point, _ int64) bool {
		last = p
		return true
	})
	return last
}
