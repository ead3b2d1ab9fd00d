package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
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
	// Parent is the ID of the run that this one is a fork of.
	Parent string `json:"parent,omitempty"`
	Config
	// Values holds every hyperparameter, so that new defaults do not change an old run.
	Values models.Values `json:"values"`
	// Sweep names the sweep that the run belongs to, if there is one.
	Sweep string `json:"sweep,omitempty"`
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
	// TestSHA256 is over the rows of the test part in original units: runs with
	// the same one were tested on the same points, whatever their training part is.
	// It is empty in runs of older versions.
	TestSHA256 string `json:"test_sha256,omitempty"`
}

// same says whether the data of an earlier run are these.
func (f dataFacts) same(old dataFacts) bool {
	if old.TestSHA256 == "" {
		f.TestSHA256 = ""
	}
	return f == old
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

// describe returns the facts of a data set and what was prepared from it.
func describe(ds *datasets.Dataset, p *datasets.Prepared) *dataFacts {
	n, d := p.Train.X.Dims()
	_, outputs := p.Train.Y.Dims()
	all, test := newDigest(), newDigest()
	for _, part := range []datasets.Part{p.Train, p.Validation, p.Test} {
		all.add(part.X, nil)
		all.add(part.Y, nil)
	}
	if p.Test.Rows != nil {
		test.add(ds.X, p.Test.Rows)
		test.add(ds.Y, p.Test.Rows)
	}
	return &dataFacts{
		Task: taskOf(p.Task).String(), Rows: rowsOf(ds.X), N: n, D: d, P: outputs,
		Validation: rowsOf(p.Validation.X), Test: rowsOf(p.Test.X),
		SHA256: all.text(), TestSHA256: test.text(),
	}
}

// digest is a SHA-256 over matrices, float64 little-endian, row by row.
type digest struct {
	hash.Hash
	values int
}

func newDigest() *digest { return &digest{Hash: sha256.New()} }

// add takes some rows of a matrix, or all if rows is nil.
func (g *digest) add(m *mat.Dense, rows []int) {
	n := rowsOf(m)
	if rows != nil {
		n = len(rows)
	}
	var raw []byte
	for i := range n {
		row := i
		if rows != nil {
			row = rows[i]
		}
		raw = raw[:0]
		for _, x := range m.RawRowView(row) {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
		}
		g.values += len(raw)
		g.Write(raw)
	}
}

// text returns the sum in hexadecimal digits; "" when nothing was added.
func (g *digest) text() string {
	if g.values == 0 {
		return ""
	}
	return hex.EncodeToString(g.Sum(nil))
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
