package settings

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// State is what is remembered, by the name of what remembers it: each screen's
// own JSON.
type State map[string]json.RawMessage

// largestState bounds the bytes of what is remembered.
const largestState = 16 << 20

// LoadState returns what was remembered. What cannot be read is forgotten: a file
// that is damaged, or of another version of the program, must keep nobody from
// working.
func LoadState() State {
	s := State{}
	path, err := statePath()
	if err != nil {
		return s
	}
	text, err := files.Read(files.OS, path, largestState)
	if err != nil || json.Unmarshal(text, &s) != nil || s == nil {
		return State{}
	}
	return s
}

// Save writes what is to be remembered, whole or not at all.
func (s State) Save() error {
	path, err := statePath()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("remember the screens: %w", err)
	}
	err = os.MkdirAll(filepath.Dir(path), files.DirMode)
	if err == nil {
		err = files.ReplaceAt(files.OS, path, func(w io.Writer) error {
			_, err := w.Write(append(text, '\n'))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("remember the screens: %w", err)
	}
	return nil
}

func statePath() (string, error) {
	return inHome("XDG_STATE_HOME", filepath.Join(".local", "state"), "workbench.json")
}
