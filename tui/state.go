package tui

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"dgplab/datasets/files"
)

// SavedState is the state of the workbench that is kept across restarts of the program. The keys are mostly
// names of screens, and each value is the JSON of that screen. The file is
// $XDG_STATE_HOME/dgplab/workbench.json or ~/.local/state/dgplab/workbench.json; it may be deleted at any
// time.
type SavedState map[string]json.RawMessage

// maxStateSize is the maximum size of the state file.
const maxStateSize = 16 << 20

// stateTimeout is the time for which a workbench waits for others that are saving their states.
const stateTimeout = 2 * time.Second

// loadState returns the saved state. It returns an empty state if the file cannot be read, because a damaged
// file or a file of another version must not block the program.
func loadState() SavedState {
	s := SavedState{}
	path, err := statePath()
	if err != nil {
		return s
	}
	text, err := files.Read(files.OS, path, maxStateSize)
	if err != nil || json.Unmarshal(text, &s) != nil || s == nil {
		return SavedState{}
	}
	return s
}

// Save writes the state atomically.
func (s SavedState) Save() error {
	path, err := statePath()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("save the workbench state: %w", err)
	}
	err = os.MkdirAll(filepath.Dir(path), files.DirMode)
	if err == nil {
		err = files.ReplaceAt(files.OS, path, func(w io.Writer) error {
			_, err := w.Write(append(text, '\n'))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("save the workbench state: %w", err)
	}
	return nil
}

// lockState waits until no other workbench is saving its state, for at most stateTimeout.
func lockState() (release func()) {
	path, err := statePath()
	if err != nil {
		return func() {} // Save reports it.
	}
	return files.WaitForLock(path+".lock", stateTimeout)
}

func statePath() (string, error) {
	path, err := files.StatePath("workbench.json")
	if err != nil {
		return "", fmt.Errorf("find the workbench state: %w", err)
	}
	return path, nil
}
