package rundir

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// maxLine bounds a line of metrics.jsonl and of test_points.csv: those of this program
// are shorter by far.
const maxLine = 1 << 20

var errLongLine = fmt.Errorf("a line has more than %d MB", maxLine>>20)

// parseLines calls visit for every whole line of a text, with the offset behind
// it, and returns the number of bytes in whole lines. The step of each line must be
// greater than that of the line before it; step is that of the line before the first
// one, 0 if there is none. What follows the last newline is a line that is still being
// written, or was torn by a crash: the end of the data. Damage before it is an error
// with the offset; visit may end the reading by returning false. It holds one line at
// a time.
func parseLines(text io.Reader, step int, visit func(p Point, end int64) bool) (int64, error) {
	lines := bufio.NewReaderSize(text, 1<<16)
	var parser pointParser
	var done int64
	for {
		line, err := nextLine(lines)
		switch {
		case err == io.EOF:
			return done, nil
		case errors.Is(err, errLongLine):
			return done, fmt.Errorf("damaged at byte %d: %w", done, err)
		case err != nil:
			return done, err
		}
		p, err := parser.parse(line[:len(line)-1])
		if err != nil {
			return done, fmt.Errorf("damaged at byte %d: %w", done, jsonError(err))
		}
		if p.Step <= step {
			return done, fmt.Errorf("damaged at byte %d: the line of step %d comes after step %d",
				done, p.Step, step)
		}
		step = p.Step
		done += int64(len(line))
		if !visit(p, done) {
			return done, nil
		}
	}
}

// nextLine returns the next line with its newline, until the next call; io.EOF where what
// is left has none.
func nextLine(text *bufio.Reader) ([]byte, error) {
	line, err := text.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = text.ReadSlice('\n')
		long = append(long, line...)
		if len(long) > maxLine && err != nil {
			return nil, errLongLine
		}
	}
	return long, err
}

// ReadPoints feeds the report lines of dir to visit, up to the first one that keep
// does not accept, and returns the offset behind the lines that it fed. Their steps
// ascend: a line that breaks the order is damage, an error with the file and the
// offset. A missing file has no lines.
func ReadPoints(dir string, keep func(Point) bool, visit func(Point)) (int64, error) {
	path := filepath.Join(dir, metricsName)
	file, err := files.Open(files.OS, path)
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var offset int64
	_, err = parseLines(file, 0, func(p Point, end int64) bool {
		if !keep(p) {
			return false
		}
		offset = end
		visit(p)
		return true
	})
	if err != nil {
		return offset, fmt.Errorf("%s: %w", path, err)
	}
	return offset, nil
}

// lastPoint returns the last whole report line, reading only the end of the file;
// noPoint if there is none.
func lastPoint(dir string) Point {
	file, err := files.Open(files.OS, filepath.Join(dir, metricsName))
	if err != nil {
		return noPoint
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return noPoint
	}
	last, _, _ := lastLine(file, stat.Size(), 4096) // many lines
	return last
}

// lastLine returns the last whole line of the first bytes of a report, as many as size, and the
// offset behind it. It reads only the tail of them, which must be longer than two lines; noPoint
// and 0 mean that there is no line.
func lastLine(file io.ReaderAt, size, tail int64) (last Point, end int64, err error) {
	first := max(0, size-tail)
	text := bufio.NewReader(io.NewSectionReader(file, first, size-first))
	if first > 0 { // begin with a whole line
		line, err := nextLine(text)
		if err != nil {
			return noPoint, 0, err
		}
		first += int64(len(line))
	}
	last = noPoint
	n, err := parseLines(text, 0, func(p Point, _ int64) bool {
		last = p
		return true
	})
	if n > 0 {
		end = first + n
	}
	return last, end, err
}

// shortLines passes a text on as far as its lines are short.
type shortLines struct {
	io.Reader
	length int
}

// Read implements io.Reader.
func (s *shortLines) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	for rest := p[:n]; ; {
		k := bytes.IndexByte(rest, '\n')
		if k < 0 {
			s.length += len(rest)
			break
		}
		if s.length+k > maxLine {
			return 0, errLongLine
		}
		s.length, rest = 0, rest[k+1:]
	}
	if s.length > maxLine {
		return 0, errLongLine
	}
	return n, err
}
