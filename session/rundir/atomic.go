package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"

	"dgplab/datasets/files"
)

// writeAtomic makes the file dir/name hold what write writes, or leaves it as it was; see
// files.Replace. removeLeftovers deletes what it leaves in between.
func writeAtomic(dir, name string, write func(io.Writer) error) error {
	return files.Replace(files.OS, dir, name, write)
}

// maxJSON bounds the JSON files of a run directory: the largest are below 10 MB.
const maxJSON = 64 << 20

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
	text, err := files.Read(files.OS, path, maxJSON)
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
	paths, _ := filepath.Glob(filepath.Join(dir, files.TempPrefix+"*"))
	for _, p := range paths {
		_ = files.OS.Remove(p)
	}
}
