package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models"
)

// configVersion is the format of config.json.
const configVersion = 1

// configFile is config.json: all that is needed to train the same model again.
type configFile struct {
	Format  int       `json:"format"`
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Config
	// Values holds every hyperparameter, so that new defaults do not change an old run.
	Values models.Values `json:"values"`
	// Data is nil until the data was loaded.
	Data *dataFacts `json:"data,omitempty"`
}

// dataFacts identify the data of a run.
type dataFacts struct {
	Task string `json:"task"`
	// Rows are all rows of the data set; N, Validation and Test are those of the parts.
	Rows       int `json:"rows"`
	N          int `json:"n"`
	Validation int `json:"validation"`
	Test       int `json:"test"`
	D          int `json:"d"`
	P          int `json:"p"`
	// SHA256 is over all parts as they were given to the model.
	SHA256 string `json:"sha256"`
}

func readConfig(dir string) (*configFile, error) {
	c := new(configFile)
	path := filepath.Join(dir, configName)
	if err := readJSON(path, c); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is no run directory: it has no %s", dir, configName)
		}
		return nil, err
	}
	if c.Format != configVersion {
		return nil, fmt.Errorf("%s: format %d; this program reads format %d", path, c.Format, configVersion)
	}
	return c, nil
}

// describe returns the facts of prepared data.
func describe(rows int, p *datasets.Prepared) *dataFacts {
	n, d := p.Train.X.Dims()
	_, outputs := p.Train.Y.Dims()
	sum := sha256.New()
	for _, m := range []*mat.Dense{p.Train.X, p.Train.Y, p.Validation.X, p.Validation.Y, p.Test.X, p.Test.Y} {
		if m == nil || m.IsEmpty() {
			continue
		}
		r, c := m.Dims()
		raw := make([]byte, 0, 8*c)
		for i := range r {
			raw = raw[:0]
			for _, x := range m.RawRowView(i) {
				raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
			}
			sum.Write(raw)
		}
	}
	return &dataFacts{
		Task: taskOf(p.Task).String(), Rows: rows, N: n, D: d, P: outputs,
		Validation: rowsOf(p.Validation.X), Test: rowsOf(p.Test.X),
		SHA256: hex.EncodeToString(sum.Sum(nil)),
	}
}

func rowsOf(m *mat.Dense) int {
	if m == nil || m.IsEmpty() {
		return 0
	}
	n, _ := m.Dims()
	return n
}

func taskOf(t datasets.Task) models.Task {
	if t == datasets.Binary {
		return models.Binary
	}
	return models.Regression
}
