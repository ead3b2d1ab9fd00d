package rundir

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
)

// tempPrefix starts the names of files that are being written.
const tempPrefix = ".tmp-"

// writeAtomic makes the file dir/name hold what write writes, or leaves it as it
// was: the content goes to a file beside it, which is synced and then renamed,
// and the folder is synced. A process or a machine that dies at any instant
// leaves the old file or the new one, and perhaps a file that removeLeftovers
// deletes.
func writeAtomic(dir, name string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(dir, tempPrefix+name+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	err = fill(file, write)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Chmod(file.Name(), 0o644); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncDir(dir)
}

func fill(file *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(file, 1<<16)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Sync()
}

// WriteJSON makes the file dir/name hold value as indented JSON, atomically.
func WriteJSON(dir, name string, value any) error {
	return writeAtomic(dir, name, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(value)
	})
}

// ReadJSON reads a JSON file into value. The error names the file; it wraps
// fs.ErrNotExist where there is none.
func ReadJSON(path string, value any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", path, jsonError(err))
	}
	return nil
}

// jsonError returns an error about JSON that is not what was expected, in words
// for people: encoding/json names Go types.
func jsonError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	where := ""
	if wrong.Field != "" {
		where = wrong.Field + ": "
	}
	return fmt.Errorf("%sJSON %s in place of %s", where, wrong.Value, wanted(wrong.Type))
}

// wanted says which JSON a type is read from.
func wanted(t reflect.Type) string {
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		return wanted(t.Elem())
	case kind == reflect.Struct || kind == reflect.Map:
		return "an object"
	case kind == reflect.Slice || kind == reflect.Array:
		return "an array"
	case kind >= reflect.Int && kind <= reflect.Uint64:
		return "a whole number"
	case kind == reflect.Float64:
		return "a number"
	case kind == reflect.Bool:
		return "true or false"
	}
	return "a text"
}

// removeLeftovers deletes what a writer that died left behind.
func removeLeftovers(dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, p := range paths {
		os.Remove(p)
	}
}
