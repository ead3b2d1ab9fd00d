package files

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// OpenLinked opens a file at a path chosen by the user, such as a data set or a settings file, for
// reading. It follows links, but returns an *IrregularError if the target is not a regular file. It
// never blocks.
func OpenLinked(path string) (*os.File, error) {
	// Do not open a pipe even briefly, because its writer would then lose its reader.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &IrregularError{path, info.Mode()}
	}
	file, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &IrregularError{path, info.Mode()}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// ReadLinked returns the content of a file opened by OpenLinked. It returns an error if the file
// has more than most bytes.
func ReadLinked(path string, most int64) ([]byte, error) {
	file, err := OpenLinked(path)
	if err != nil {
		return nil, err
	}
	return readAll(file, path, most)
}

// readAll returns the content of an open file and closes it. It returns an error if the file has
// more than most bytes.
func readAll(file File, path string, most int64) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, tooLarge(path, most)
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1)) // the file may grow
	if err == nil && int64(len(text)) > most {
		err = tooLarge(path, most)
	}
	return text, err
}

// IsPipe reports whether a path leads to a pipe.
func IsPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&fs.ModeNamedPipe != 0
}

// tooLarge returns the error for a file of more than most bytes.
func tooLarge(path string, most int64) error {
	size := fmt.Sprintf("%d KB", most>>10)
	if most >= 1<<20 {
		size = fmt.Sprintf("%d MB", most>>20)
	}
	return &fs.PathError{
		Op:   "read",
		Path: path,
		Err:  fmt.Errorf("larger than %s, the limit for this kind of file", size),
	}
}
