package datasets

import (
	"math"

	"dgplab/datasets/columns"
)

// measure computes the statistics of a column for display.
func (t *table) measure(c *columns.Column) {
	w := t.words[c.Index]
	if c.Kind == columns.Text || c.Kind == columns.Category || c.Kind == columns.Boolean || c.Levels != nil {
		c.Distinct = len(c.Levels)
		if w != nil && len(c.Levels) == 0 {
			c.Distinct = min(len(w.texts), columns.MaxDistinct+1)
		}
		for _, level := range c.Levels[:min(len(c.Levels), columns.Bins)] {
			c.Spark = append(c.Spark, level.Count)
		}
		if c.Kind != columns.Number {
			return
		}
	}
	f := t.filler(c)
	low := math.Inf(1)
	high := math.Inf(-1)
	mean := 0.0
	n := 0
	seen := map[float64]bool{}
	for i := range t.rows() {
		v := t.at(i, c.Index) / f.unit
		if math.IsNaN(v) {
			continue
		}
		low = min(low, v)
		high = max(high, v)
		n++
		mean += v/float64(n) - mean/float64(n) // running mean without overflow
		if len(seen) <= columns.MaxDistinct {
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
	c.Spark = t.histogram(c.Index, low*f.unit, high*f.unit)
}

// histogram counts the numbers of a column in equal bins from low to high.
func (t *table) histogram(column int, low, high float64) []int {
	bins := make([]int, columns.Bins)
	width := high/columns.Bins - low/columns.Bins
	for i := range t.rows() {
		v := t.at(i, column)
		if math.IsNaN(v) {
			continue
		}
		k := 0
		if width > 0 {
			k = int((v - low) / width)
		}
		bins[max(0, min(k, columns.Bins-1))]++
	}
	return bins
}
