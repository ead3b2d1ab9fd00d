package view

import (
	"encoding/json"
	"fmt"
	"math"
)

// Blocks is a covariance map: log10 of the absolute covariances between the parts of a posterior,
// max-pooled within blocks. Parts may differ in size.
type Blocks struct {
	Parts []Part `json:"parts"`
	// Log10 is [side][side], row-major, where side is the total number of cells of the parts. Zero
	// covariances are -Inf.
	Log10 Symmetric `json:"log10"`
	// Draws is the number of samples from which the covariances are estimated, or 0 for the exact
	// covariances of a Gaussian.
	Draws int `json:"draws,omitempty"`
	// Free lists pairs of parts, the later part first, that may be correlated but whose covariances
	// are all still zero, as at the start of a coupled posterior. Other entries of -Inf are zero by
	// construction.
	Free [][2]int `json:"free,omitempty"`
}

// Part is a group of adjacent variables in a map, for example the inducing outputs of one GP.
type Part struct {
	// Group is the number of the group to which the part belongs, for example its layer, from 0.
	// Parts of a group are adjacent. Index is the position of the part in its group.
	Group int `json:"group"`
	Index int `json:"index"`
	// Name is the name of the part shown to users, for example "w_11", or "" if the part is
	// identified by group and index. Either all parts are named or none is.
	Name string `json:"name,omitempty"`
	// Size is the number of variables. Each cell covers about Size/Cells of them.
	Size  int `json:"size"`
	Cells int `json:"cells"`
}

// Side returns the number of cells per row.
func (b *Blocks) Side() int {
	side := 0
	for _, p := range b.Parts {
		side += p.Cells
	}
	return side
}

// Noise returns the absolute correlation below which an estimated entry is indistinguishable from
// zero: two standard errors for independent draws. It is 0 if the entries are not estimated.
func (b *Blocks) Noise() float64 {
	if b.Draws == 0 {
		return 0
	}
	return 2 / math.Sqrt(float64(b.Draws))
}

// At returns the cell in row r and column c.
func (b *Blocks) At(r, c int) float64 { return b.Log10[r*b.Side()+c] }

// Check returns an error unless the number of cells matches the parts and the pairs of Free are
// valid.
func (b *Blocks) Check() error {
	for _, p := range b.Parts {
		if p.Cells < 1 || p.Size < p.Cells {
			return fmt.Errorf("a part of %d variables has %d cells", p.Size, p.Cells)
		}
	}
	if side := b.Side(); len(b.Log10) != side*side {
		return fmt.Errorf("the covariance has %d cells, want %d squared", len(b.Log10), side)
	}
	for _, pair := range b.Free {
		if pair[1] < 0 || pair[1] > pair[0] || pair[0] >= len(b.Parts) {
			return fmt.Errorf("invalid pair of free parts: %d and %d of %d",
				pair[0], pair[1], len(b.Parts))
		}
	}
	return nil
}

// Symmetric is a symmetric matrix, [n][n]. Its JSON form holds the rows up to the diagonal, rounded
// to 0.01, with null for -Inf.
type Symmetric []float64

// symmetricSteps is the number of rounding steps per unit.
const symmetricSteps = 100

// MarshalJSON writes the rows up to the diagonal.
func (s Symmetric) MarshalJSON() ([]byte, error) {
	side := int(math.Round(math.Sqrt(float64(len(s)))))
	rows := make([]Rounded, side)
	for r := range rows {
		rows[r] = make(Rounded, r+1)
		for c := range rows[r] {
			rows[r][c] = math.Round(s[r*side+c]*symmetricSteps) / symmetricSteps
		}
	}
	return json.Marshal(rows)
}

// UnmarshalJSON reads the rows up to the diagonal.
func (s *Symmetric) UnmarshalJSON(text []byte) error {
	var rows []Rounded
	if err := json.Unmarshal(text, &rows); err != nil {
		return err
	}
	side := len(rows)
	*s = make(Symmetric, side*side)
	for r, row := range rows {
		if len(row) != r+1 {
			return fmt.Errorf("row %d of the covariance has %d cells, want %d", r, len(row), r+1)
		}
		for c, v := range row {
			if math.IsNaN(v) {
				v = math.Inf(-1)
			}
			(*s)[r*side+c], (*s)[c*side+r] = v, v
		}
	}
	return nil
}

// MaxCells is the approximate maximum number of cells of a row, enough for a full screen.
const MaxCells = 256
