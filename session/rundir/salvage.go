package rundir

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dgplab/datasets/files"
)

// salvage rewrites metrics.jsonl with the lines that are sound; see Writer.Salvage. The new file is empty if
// metrics.jsonl is not a regular file.
func salvage(dir files.Dir, sound func(Point) bool) error {
	file, err := dir.OpenFile(metricsName, os.O_RDONLY, 0)
	var irregular *files.IrregularError
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &irregular) {
		return err
	}
	if err != nil {
		return files.Replace(dir, metricsName, func(io.Writer) error { return nil })
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	whole := func() io.Reader { return io.NewSectionReader(file, 0, info.Size()) }
	err = files.Replace(dir, DamagedFile, func(w io.Writer) error {
		_, err := io.Copy(w, whole())
		return err
	})
	if err == nil {
		err = files.Replace(dir, metricsName, func(w io.Writer) error { return copySound(w, whole(), sound) })
	}
	if err != nil {
		return fmt.Errorf("repair the report: %w", err)
	}
	return nil
}

// copySound copies the lines that can be parsed and are sound.
func copySound(w io.Writer, text io.Reader, sound func(Point) bool) error {
	lines := bufio.NewReaderSize(text, 1<<16)
	for {
		line, err := nextLine(lines)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errLongLine):
			if err := skipLine(lines); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		var p Point
		if json.Unmarshal(line, &p) != nil || !sound(p) {
			continue
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
}

// skipLine skips the rest of an overlong line.
func skipLine(text *bufio.Reader) error {
	for {
		_, err := text.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF:
			return nil
		default:
			return err
		}
	}
}
