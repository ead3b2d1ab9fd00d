package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"

	"dgplab/models"
)

// Diagnostics is what the model looks like at one step.
type Diagnostics struct {
	Step       int
	Seconds    float64 // what it cost
	Covariance *models.BlockMap
	Layers     []models.LayerSamples
	Health     *Health
}

// Health says how sound the arithmetic of the model was at one step.
type Health struct {
	Step int
	models.HealthReport
}

// diagnosticsVersion is the format of diagnostics.json.
const diagnosticsVersion = 1

// diagnosticsFile is diagnostics.json; see session/FORMAT.md.
type diagnosticsFile struct {
	Format     int         `json:"format"`
	Step       int         `json:"step"`
	Seconds    Number      `json:"seconds"`
	Covariance *mapJSON    `json:"covariance,omitempty"`
	Layers     []layerJSON `json:"layers,omitempty"`
	Health     *healthJSON `json:"health,omitempty"`
}

// mapJSON is a block map; Log10 holds the rows up to the diagonal.
type mapJSON struct {
	GPs   []int     `json:"gps"`
	M     int       `json:"m"`
	Cells int       `json:"cells"`
	Log10 []rounded `json:"log10"`
}

type layerJSON struct {
	Lengthscales rounded   `json:"lengthscales"`
	Variance     Number    `json:"variance"`
	Grid         rounded   `json:"grid"`
	GPs          []gpJSON  `json:"gps"`
	Correlation  []rounded `json:"correlation"`
}

type gpJSON struct {
	// Moments are mean, standard deviation, minimum, maximum and share.
	Moments   rounded   `json:"moments"`
	Histogram []int     `json:"histogram"`
	Collapsed bool      `json:"collapsed"`
	Curves    []rounded `json:"curves"`
}

type healthJSON struct {
	Step         int          `json:"step"`
	Matrices     []matrixJSON `json:"matrices"`
	KLByLayer    []Number     `json:"kl_by_layer"`
	Effective    []Number     `json:"effective"`
	Shares       []shareJSON  `json:"shares"`
	ShareByLayer []Number     `json:"share_by_layer"`
	TimedSteps   int          `json:"timed_steps"`
}

type matrixJSON struct {
	Name          string            `json:"name"`
	Kind          models.MatrixKind `json:"kind"`
	Layer         int               `json:"layer"`
	GP            int               `json:"gp"`
	Condition     Number            `json:"condition"`
	SmallestPivot Number            `json:"smallest_pivot"`
	Jitter        Number            `json:"jitter"`
	Rescues       int               `json:"rescues"`
}

type shareJSON struct {
	Name  string `json:"name"`
	Share Number `json:"share"`
}

// saveDiagnostics writes diagnostics into the run directory.
func saveDiagnostics(dir string, d *Diagnostics) error {
	return writeAtomic(dir, diagnosticsName, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(&diagnosticsFile{
			Format: diagnosticsVersion, Step: d.Step, Seconds: Number(d.Seconds),
			Covariance: mapToJSON(d.Covariance), Layers: layersToJSON(d.Layers), Health: healthToJSON(d.Health),
		})
	})
}

// Diagnostics returns what is stored of the last diagnostics of the run, without
// building its model: those at its end, or, of a run that is going or has died,
// before its last checkpoint. Logarithms of the covariance are rounded to 0.01,
// other numbers of the layers to six digits. It is nil for a run that has none.
func (i Info) Diagnostics() (*Diagnostics, error) {
	path := filepath.Join(i.Dir, diagnosticsName)
	var file diagnosticsFile
	if err := ReadJSON(path, &file); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	if file.Format != diagnosticsVersion {
		return nil, fmt.Errorf("%s: format %d; this program reads format %d", path, file.Format, diagnosticsVersion)
	}
	covariance, err := file.Covariance.read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d := &Diagnostics{Step: file.Step, Seconds: float64(file.Seconds), Covariance: covariance, Health: file.Health.read()}
	for _, l := range file.Layers {
		layer, err := l.read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		d.Layers = append(d.Layers, layer)
	}
	return d, nil
}

// mapSteps is the number of steps to which a decade of the covariance is rounded.
const mapSteps = 100

func mapToJSON(m *models.BlockMap) *mapJSON {
	if m == nil {
		return nil
	}
	out := &mapJSON{GPs: m.GPs, M: m.M, Cells: m.Cells}
	side := mapSide(m.GPs, m.Cells)
	for r := range side {
		row := make(rounded, r+1)
		for c := range row {
			row[c] = math.Round(m.Log10[r*side+c]*mapSteps) / mapSteps
		}
		out.Log10 = append(out.Log10, row)
	}
	return out
}

func (m *mapJSON) read() (*models.BlockMap, error) {
	if m == nil {
		return nil, nil
	}
	side := mapSide(m.GPs, m.Cells)
	if len(m.Log10) != side {
		return nil, fmt.Errorf("the covariance has %d rows, want %d", len(m.Log10), side)
	}
	out := &models.BlockMap{GPs: m.GPs, M: m.M, Cells: m.Cells, Log10: make([]float64, side*side)}
	for r, row := range m.Log10 {
		if len(row) != r+1 {
			return nil, fmt.Errorf("row %d of the covariance has %d cells, want %d", r, len(row), r+1)
		}
		for c, v := range row {
			if math.IsNaN(v) {
				v = math.Inf(-1)
			}
			out.Log10[r*side+c], out.Log10[c*side+r] = v, v
		}
	}
	return out, nil
}

// mapSide returns the side of a block map in cells.
func mapSide(gps []int, cells int) int {
	side := 0
	for _, n := range gps {
		side += n * cells
	}
	return side
}

// rounded are numbers that are stored with six digits; null stands for what is
// not finite, and is read as NaN.
type rounded []float64

// MarshalJSON writes an array.
func (list rounded) MarshalJSON() ([]byte, error) {
	dst := []byte{'['}
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendDigits(dst, x, 6)
	}
	return append(dst, ']'), nil
}

// UnmarshalJSON reads an array.
func (list *rounded) UnmarshalJSON(text []byte) error {
	var numbers []Number
	if err := json.Unmarshal(text, &numbers); err != nil {
		return err
	}
	*list = floats(numbers)
	return nil
}
