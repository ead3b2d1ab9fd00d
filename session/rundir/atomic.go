package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"dgplab/datasets/files"
)

// maxJSON bounds the size of JSON files in bytes. The largest files of a run are below 10 MB.
const maxJSON = 64 << 20

// WriteJSON atomically replaces the named file in dir with value as indented JSON; see files.Replace.
func WriteJSON(dir files.Dir, name string, value any) error {
	return files.Replace(dir, name, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(value)
	})
}

// ReadJSON reads a JSON file into value. The error names the file. It wraps fs.ErrNotExist if the
// file is missing.
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

// jsonError replaces the Go types in an error of encoding/json with JSON terms, and shortens it.
func jsonError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return files.Brief(err)
	}
	where := ""
	if wrong.Field != "" {
		where = wrong.Field + ": "
	}
	return files.Brief(fmt.Errorf("%sJSON %s instead of %s", where, wrong.Value, jsonKind(wrong.Type)))
}

// jsonKind returns the kind of JSON value that a Go type is decoded from.
func jsonKind(t reflect.Type) string {
	kind := t.Kind()
	switch {
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
	return "a string"
}

// removeLeftovers deletes the temporary files of a dead writer. Errors are ignored.
func removeLeftovers(dir files.Dir) {
	names, _ := dir.Names()
	for _, name := range names {
		if strings.HasPrefix(name, files.TempPrefix) {
			_ = dir.Remove(name)
		}
	}
}
