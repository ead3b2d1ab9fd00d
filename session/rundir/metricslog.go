package rundir

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"dgplab/datasets/files"
)

const (
	// pendingCap bounds the bytes that wait for a disk that refuses them.
	pendingCap = 1 << 20
	// keptCap bounds the bytes of a report that are kept in memory: those of
	// thousands of lines.
	keptCap = 1 << 20
)

// metricsLog appends report lines to metrics.jsonl. A line that cannot be written
// (a full disk) waits in memory and is tried again with the next one; what was
// half written is cut off again, so that the file never ends in half a line
// while the process lives. The last lines are kept: where others cut the file short they are
// written again, and where others remove the file it is made anew. It belongs to the
// trainer's goroutine.
type metricsLog struct {
	dir    files.Dir
	file   files.File
	offset int64  // where the next line goes
	ragged bool   // something stands behind it
	base   int64  // where text begins in the file, at most offset
	text   []byte // whole lines from there on, with those that are not yet in the file
	last   int64  // where the last line that was added begins; at least base
	step   int    // of that line; 0 for none
	lost   int    // lines given up because too many waited
	// said are one line each of what others have done to the file.
	said []string
}

// openMetrics opens or creates the log of dir for appending at offset. What stands
// behind it stays until cut, or the first line.
func openMetrics(dir files.Dir, offset int64) (*metricsLog, error) {
	file, err := dir.OpenFile(metricsName, os.O_RDWR|os.O_CREATE, files.Mode)
	if err != nil {
		return nil, err
	}
	l := &metricsLog{dir: dir, file: file, offset: offset, base: offset, ragged: true}
	if offset > 0 && offset <= keptCap {
		l.base, l.text = 0, make([]byte, offset)
		if _, err := file.ReadAt(l.text, 0); err != nil {
			file.Close()
			return nil, err
		}
	}
	return l, nil
}

// pending returns the lines that are not yet in the file.
func (l *metricsLog) pending() []byte { return l.text[l.offset-l.base:] }

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
	if len(l.pending()) > pendingCap {
		l.lost++
	} else {
		l.last, l.step = l.base+int64(len(l.text)), p.Step
		l.text = append(p.AppendJSON(l.text, ""), '\n')
	}
	return l.flush()
}

// drop forgets the last line. In the file it stands until another one is there.
func (l *metricsLog) drop() {
	l.text = l.text[:l.last-l.base]
	if l.last < l.offset {
		l.offset, l.ragged = l.last, true
	}
}

func (l *metricsLog) flush() error {
	if len(l.pending()) == 0 {
		return nil
	}
	if err := l.checkLength(); err != nil {
		return err
	}
	text := l.pending()
	if _, err := l.file.WriteAt(text, l.offset); err != nil {
		if l.file.Truncate(l.offset) != nil { // best effort; a reader also stops at a torn line
			l.ragged = true
		}
		return fmt.Errorf("write %s: %w", metricsName, files.Plain(err))
	}
	l.offset += int64(len(text))
	l.trim()
	return l.cut()
}

// trim forgets the first half of the lines that are kept, where they are too many. The last line
// may be dropped, so it stays.
func (l *metricsLog) trim() {
	if len(l.text) <= keptCap {
		return
	}
	half := len(l.text) / 2
	from := min(int64(half+bytes.IndexByte(l.text[half:], '\n')+1), l.last-l.base)
	l.text = bytes.Clone(l.text[from:])
	l.base += from
}

// checkLength notices that the file is shorter than what was written, and goes back to where it
// has to be written again. Writing behind its end would leave a hole of zeros.
func (l *metricsLog) checkLength() error {
	info, err := l.file.Stat()
	if err != nil || info.Size() >= l.offset {
		return err
	}
	l.ragged = true
	if info.Size() >= l.base {
		l.offset = l.base
		l.said = append(l.said, metricsName+" was cut short; its lines are written again")
		return nil
	}
	return l.bridge(info.Size())
}

// bridge lets the lines that are kept follow those that are left of a file of a size.
func (l *metricsLog) bridge(size int64) error {
	before, end, err := lastLine(l.file, size, 2*maxLine)
	if err != nil {
		return err
	}
	after := "the next one"
	if p, err := new(pointParser).parse(bytes.TrimSuffix(firstLine(l.text), []byte("\n"))); err == nil {
		after = fmt.Sprint(p.Step)
	}
	l.said = append(l.said,
		fmt.Sprintf("%s was cut short: the report lines between step %d and step %s are gone",
			metricsName, max(before.Step, 0), after))
	l.last += end - l.base
	l.base, l.offset = end, end
	return nil
}

// firstLine returns the first line of a text with its newline.
func firstLine(text []byte) []byte { return text[:bytes.IndexByte(text, '\n')+1] }

// check makes the file again what was written, where others have changed its length or put
// something else in its place.
func (l *metricsLog) check() error {
	held, err := l.file.Stat()
	if err != nil {
		return err
	}
	there, err := l.dir.Lstat(metricsName)
	if err != nil || !os.SameFile(held, there) {
		return l.renew()
	}
	if held.Size() > l.offset && !l.ragged {
		l.ragged = true
		l.said = append(l.said, metricsName+" was made longer; what is not of this run is cut off")
		return l.cut()
	}
	return l.checkLength()
}

// renew writes the file again from the open one, which keeps its content after it was removed.
func (l *metricsLog) renew() error {
	if err := l.checkLength(); err != nil {
		return err
	}
	err := files.Replace(l.dir, metricsName, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(l.file, 0, l.base))
		return err
	})
	if err != nil {
		return err
	}
	file, err := l.dir.OpenFile(metricsName, os.O_RDWR, files.Mode)
	if err != nil {
		return err
	}
	l.file.Close()
	l.file, l.offset, l.ragged = file, l.base, true
	l.said = append(l.said, metricsName+" was removed or replaced; it is written anew")
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
