package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"dgplab/datasets/files"
	"dgplab/models/view"
)

// Diagnostics holds diagnostics of the model at one step.
type Diagnostics struct {
	Step    int    `json:"step"`
	Seconds Number `json:"seconds"` // duration of the computation
	view.Views
}

// diagnosticsVersion is the format of diagnostics.json.
const diagnosticsVersion = 1

// diagnosticsFile is the content of diagnostics.json; see session/FORMAT.md.
type diagnosticsFile struct {
	Format int `json:"format"`
	*Diagnostics
}

// saveDiagnostics writes diagnostics into the run directory.
func saveDiagnostics(dir files.Dir, d *Diagnostics) error {
	return files.Replace(dir, diagnosticsName, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(&diagnosticsFile{diagnosticsVersion, d})
	})
}

// Diagnostics returns the stored diagnostics of the run, or nil if there are none. It does not build the
// model. For a run that has ended they belong to the last step, for others to the last checkpoint or an
// earlier step. Logarithms of the covariance are rounded to 0.01, other numbers of the layers to six digits.
func (i Info) Diagnostics() (*Diagnostics, error) {
	if i.Packed != nil {
		return nil, nil
	}
	path := filepath.Join(i.Dir, diagnosticsName)
	d, err := readDiagnostics(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

func readDiagnostics(path string) (*Diagnostics, error) {
	var text json.RawMessage
	if err := ReadJSON(path, &text); err != nil {
		return nil, err
	}
	d, err := decodeDiagnostics(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, jsonError(err))
	}
	return d, nil
}

func decodeDiagnostics(text []byte) (*Diagnostics, error) {
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	if head.Format != diagnosticsVersion {
		return nil, fmt.Errorf("format %d; this program reads format %d", head.Format, diagnosticsVersion)
	}
	d := new(Diagnostics)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, err
	}
	return d, d.Views.Check()
}
