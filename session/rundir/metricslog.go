package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dgplab/datasets/files"
)

const (
	// pendingCap bounds the number of bytes waiting to be written after write errors.
	pendingCap = 1 << 20
	// keptCap bounds the report text kept in memory in bytes. It suffices for thousands of lines.
	keptCap = 1 << 20
)

// metricsLog appends report lines to metrics.jsonl. If a line cannot be written, for example because the disk
// is full, it is retried with the next line. A partial write is truncated, so that the file never ends in
// half a line while the process is alive. The last lines are kept in memory. They are written again if
// another process truncates the file, and the file is recreated if it is removed. A metricsLog belongs to the
// trainer's goroutine.
type metricsLog struct {
	dir       files.Dir
	file      files.File
	offset    int64  // offset of the next line
	dirtyTail bool   // the file may contain data after offset
	base      int64  // file offset of the start of text; at most offset
	text      []byte // complete lines from base on, including pending ones
	last      int64  // offset of the last added line; at least base
	step      int    // step of that line; 0 if there is none
	lost      int    // number of lines discarded because too many were waiting
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
	l := &metricsLog{dir: dir, file: file, offset: offset, base: offset, dirtyTail: true}
	if offset > 0 && offset <= keptCap {
		l.base, l.text = 0, make([]byte, offset)
		if _, err := file.ReadAt(l.text, 0); err != nil {
			file.Close()
			return nil, err
		}
	}
	return l, nil
}

// pending returns the lines that are not in the file yet.
func (l *metricsLog) pending() []byte { return l.text[l.offset-l.base:] }

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
	if len(l.pending()) > pendingCap {
		l.lost++
	} else {
		l.last, l.step = l.base+int64(len(l.text)), p.Step
		l.text = append(p.AppendJSON(l.text, ""), '\n')
	}
	return l.flush()
}

// drop removes the last line from memory. It stays in the file until another line is written.
func (l *metricsLog) drop() {
	l.text = l.text[:l.last-l.base]
	if l.last < l.offset {
		l.offset, l.dirtyTail = l.last, true
	}
}

func (l *metricsLog) flush() error {
	if len(l.pending()) == 0 {
		return nil
	}
	if err := l.checkLength(); err != nil {
		return err
	}
	if err := l.separate(); err != nil {
		return err
	}
	text := l.pending()
	if _, err := l.file.WriteAt(text, l.offset); err != nil {
		// An error is harmless, because readers stop at a torn line.
		if l.file.Truncate(l.offset) != nil {
			l.dirtyTail = true
		}
		return fmt.Errorf("write %s: %w", metricsName, files.WithoutPath(err))
	}
	l.offset += int64(len(text))
	l.trim()
	return l.cut()
}

// trim discards the first half of the kept lines if there are too many. It keeps the last line,
// which drop may need.
func (l *metricsLog) trim() {
	if len(l.text) <= keptCap {
		return
	}
	half := len(l.text) / 2
	from := min(int64(half+bytes.IndexByte(l.text[half:], '\n')+1), l.last-l.base)
	l.text = bytes.Clone(l.text[from:])
	l.base += from
}

// checkLength moves the offset back if the file is shorter than the written data, so that the missing lines
// are written again. A write beyond the end would leave a gap of zeros.
func (l *metricsLog) checkLength() error {
	info, err := l.file.Stat()
	if err != nil || info.Size() >= l.offset {
		return err
	}
	l.dirtyTail = true
	if info.Size() >= l.base {
		l.offset = l.base
		l.notices = append(l.notices, metricsName+" was truncated; its lines were written again")
		return nil
	}
	return l.closeGap(info.Size())
}

// closeGap appends the lines kept in memory after the last complete line of the file. size is the length of
// the file.
func (l *metricsLog) closeGap(size int64) error {
	before, end, err := lastLine(l.file, size, 2*maxLine)
	if err != nil {
		return err
	}
	after := "the next line"
	first, _, _ := bytes.Cut(l.text, []byte("\n"))
	var p Point
	if json.Unmarshal(first, &p) == nil {
		after = fmt.Sprintf("step %d", p.Step)
	}
	l.notices = append(l.notices,
		fmt.Sprintf("%s was truncated: the report lines between step %d and %s are lost",
			metricsName, max(before.Step, 0), after))
	l.last += end - l.base
	l.base, l.offset = end, end
	return nil
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

// renew replaces the file by one with the written lines. The content of the open file outlives its name.
func (l *metricsLog) renew() error {
	err := files.Replace(l.dir, metricsName, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(l.file, 0, l.base))
		if err == nil {
			_, err = w.Write(l.text[:l.offset-l.base])
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
	return nil
}

// sync makes all lines durable.
func (l *metricsLog) sync() error {
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
	if closed := l.file.Close(); err == nil {
		err = closed
	}
	return err
}
