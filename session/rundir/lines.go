package rundir

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// maxLine bounds a line of metrics.jsonl and of test_points.csv. Lines written by this program are
// far shorter.
const maxLine = 1 << 20

var errLongLine = fmt.Errorf("a line is longer than %d MB", maxLine>>20)

// parseLines calls visit for every complete line with the offset of its end, until visit returns false, and
// returns the number of bytes in complete lines. Steps must be greater than the given step and ascend. Text
// after the last newline is ignored, because that line is still being written or was torn by a crash. Damage
// before the last newline is an error with its offset. parseLines holds one line in memory at a time.
func parseLines(text io.Reader, step int, visit func(p Point, end int64) bool) (int64, error) {
	lines := bufio.NewReaderSize(text, 1<<16)
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
		var p Point
		if err := json.Unmarshal(line, &p); err != nil {
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

// nextLine returns the next line with its newline, valid until the next call. It returns io.EOF if
// the remaining text has no newline.
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

// ReadPoints calls visit for the report lines of dir up to the first line that keep rejects, and
// returns the offset after the visited lines. Steps must ascend. A damaged or out-of-order line is
// an error with the file and the offset. A missing file has no lines.
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

// lastPoint returns the last complete report line, or noPoint if there is none. It reads only the
// end of the file.
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
	// 4,096 bytes hold many lines.
	last, _, _ := lastLine(file, stat.Size(), 4096)
	return last
}

// lastLine returns the last complete line in the first size bytes of a report and the offset of its end, or
// noPoint and 0 if there is no line. It reads only the last tail bytes, which must cover more than two lines.
func lastLine(file io.ReaderAt, size, tail int64) (last Point, end int64, err error) {
	first := max(0, size-tail)
	text := bufio.NewReader(io.NewSectionReader(file, first, size-first))
	// Skip the first line, which may be incomplete.
	if first > 0 {
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

// lineLimiter is a reader that returns errLongLine if a line exceeds maxLine bytes.
type lineLimiter struct {
	io.Reader
	length int
}

// Read implements io.Reader.
func (s *lineLimiter) Read(p []byte) (int, error) {
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
