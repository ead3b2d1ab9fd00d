package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dgplab/datasets/files"
)

// pendingCap bounds the number of bytes waiting to be written after write errors.
const pendingCap = 1 << 20

// metricsLog appends report lines to metrics.jsonl. If a line cannot be written, for example because the disk
// is full, it is retried with the next line. A partial write is truncated, so that the file never ends in
// half a line while the process is alive. If another process removes or replaces the file, it is recreated
// from the open file; if another process truncates it, the next line follows the last complete one. A
// metricsLog belongs to the trainer's goroutine.
type metricsLog struct {
	dir       files.Dir
	file      files.File
	offset    int64  // offset of the next line
	dirtyTail bool   // the file may contain data after offset
	pending   []byte // complete lines that are not in the file yet
	last      int64  // offset of the last added line, as if all lines were written
	step      int    // step of that line; 0 if there is none
	lost      int    // number of lines discarded because too many were waiting
	failed    error  // the error of cutTo
	// notices holds one-line descriptions of changes that others made to the file.
	notices []string
}

// openMetrics opens or creates the log of dir for appending at offset. Data after offset remain until cut is
// called or a line is written.
func openMetrics(dir files.Dir, offset int64) (*metricsLog, error) {
	file, err := files.OpenInPlace(dir, metricsName)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = dir.OpenFile(metricsName, os.O_RDWR|os.O_CREATE|os.O_EXCL, files.Mode)
	}
	if err != nil {
		return nil, err
	}
	return &metricsLog{dir: dir, file: file, offset: offset, dirtyTail: true}, nil
}

// cut removes the data after offset from the file.
func (l *metricsLog) cut() error {
	if !l.dirtyTail {
		return nil
	}
	if err := l.separate(); err != nil {
		return err
	}
	if err := l.file.Truncate(l.offset); err != nil {
		return err
	}
	l.dirtyTail = false
	return nil
}

// add appends a line. A line with the step of the last line replaces it. After an error the line is
// retried later, unless too many lines are waiting.
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

// drop removes the last line. A line in the file stays there until another is written.
func (l *metricsLog) drop() {
	l.pending = l.pending[:max(l.last-l.offset, 0)]
	if l.last < l.offset {
		l.offset, l.dirtyTail = l.last, true
	}
}

func (l *metricsLog) flush() error {
	if len(l.pending) == 0 {
		return nil
	}
	if err := l.checkLength(); err != nil {
		return err
	}
	if err := l.separate(); err != nil {
		return err
	}
	if _, err := l.file.WriteAt(l.pending, l.offset); err != nil {
		// An error is harmless, because readers stop at a torn line.
		if l.file.Truncate(l.offset) != nil {
			l.dirtyTail = true
		}
		return fmt.Errorf("write %s: %w", metricsName, files.WithoutPath(err))
	}
	l.offset += int64(len(l.pending))
	l.pending = l.pending[:0]
	return l.cut()
}

// checkLength moves the offset back to the last complete line if the file is shorter than the written data. A
// write beyond the end would leave a gap of zeros.
func (l *metricsLog) checkLength() error {
	info, err := l.file.Stat()
	if err != nil || info.Size() >= l.offset {
		return err
	}
	before, end, err := lastLine(l.file, info.Size(), 2*maxLine)
	if err != nil {
		return err
	}
	l.notices = append(l.notices, fmt.Sprintf("%s was truncated; its lines after step %d are lost",
		metricsName, max(before.Step, 0)))
	l.last += end - l.offset
	l.offset, l.dirtyTail = end, true
	return l.cut()
}

// check restores the file if others have changed its length or replaced it.
func (l *metricsLog) check() error {
	held, err := l.file.Stat()
	if err != nil {
		return err
	}
	there, err := l.dir.Lstat(metricsName)
	if err != nil || !os.SameFile(held, there) {
		if err := l.checkLength(); err != nil {
			return err
		}
		if err := l.renew(); err != nil {
			return err
		}
		l.notices = append(l.notices, metricsName+" was removed or replaced; it was recreated")
		return nil
	}
	if held.Size() > l.offset && !l.dirtyTail {
		l.dirtyTail = true
		l.notices = append(l.notices,
			metricsName+" was extended by another program; the extra data were removed")
		return l.cut()
	}
	return l.checkLength()
}

// separate replaces the file by a copy if it has got hard links, for example by a backup; see
// files.OpenInPlace.
func (l *metricsLog) separate() error {
	info, err := l.file.Stat()
	if err != nil || files.Links(info) < 2 {
		return err
	}
	return l.renew()
}

// renew replaces the file by one with the written and the waiting lines. The content of the open file
// outlives its name.
func (l *metricsLog) renew() error {
	err := files.Replace(l.dir, metricsName, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(l.file, 0, l.offset))
		if err == nil {
			_, err = w.Write(l.pending)
		}
		return err
	})
	if err != nil {
		return err
	}
	file, err := files.OpenInPlace(l.dir, metricsName)
	if err != nil {
		return err
	}
	l.file.Close()
	l.file, l.dirtyTail = file, false
	l.offset += int64(len(l.pending))
	l.pending = l.pending[:0]
	return nil
}

// cutTo replaces the data after offset by a line at once: a crash leaves the old data or the line. After
// an error the file has one of them, and the log leaves it alone.
func (l *metricsLog) cutTo(p Point) error {
	l.last, l.step = l.offset, p.Step
	l.pending = append(p.AppendJSON(nil, ""), '\n')
	if err := l.renew(); err != nil {
		l.failed = fmt.Errorf("write %s: %w", metricsName, files.WithoutPath(err))
	}
	return l.failed
}

// sync makes all lines durable.
func (l *metricsLog) sync() error {
	if l.failed != nil {
		return l.failed
	}
	if err := l.check(); err != nil {
		return err
	}
	if err := l.flush(); err != nil {
		return err
	}
	return l.file.Sync()
}

func (l *metricsLog) close() error {
	err := l.sync()
	closed := l.file.Close()
	if err == nil {
		err = closed
	}
	return err
}
