package table

import (
	"math"
)

// Measure computes the statistics of all columns for display.
func (t *Table) Measure(d *Description) {
	for c := range d.Columns {
		t.measureColumn(&d.Columns[c])
	}
}

func (t *Table) measureColumn(c *Column) {
	w := t.columns[c.Index].words
	if c.Kind == Text || c.Kind == Category || c.Kind == Boolean || c.Levels != nil {
		c.Distinct = len(c.Levels)
		if w != nil && len(c.Levels) == 0 {
			c.Distinct = min(len(w.texts), MaxDistinct+1)
		}
		for _, level := range c.Levels[:min(len(c.Levels), Bins)] {
			c.Spark = append(c.Spark, level.Count)
		}
		if c.Kind != Number {
			return
		}
	}
	low := math.Inf(1)
	high := math.Inf(-1)
	mean := 0.0
	n := 0
	seen := map[float64]bool{}
	for i := range t.Rows() {
		v := t.at(i, c.Index)
		if math.IsNaN(v) {
			continue
		}
		low = min(low, v)
		high = max(high, v)
		n++
		mean += v/float64(n) - mean/float64(n) // running mean without overflow
		if len(seen) <= MaxDistinct {
			seen[v] = true
		}
	}
	if n == 0 {
		return
	}
	c.Min = low
	c.Mean = mean
	c.Max = high
	c.Distinct = len(seen)
	c.Spark = t.histogram(c.Index, low, high)
}

// histogram counts the numbers of a column in equal bins from low to high.
func (t *Table) histogram(column int, low, high float64) []int {
	bins := make([]int, Bins)
	width := high/Bins - low/Bins
	for i := range t.Rows() {
		v := t.at(i, column)
		if math.IsNaN(v) {
			continue
		}
		k := 0
		if width > 0 {
			k = int((v - low) / width)
		}
		bins[max(0, min(k, Bins-1))]++
	}
	return bins
}
