package session

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/session/rundir"
)

// sizesOf returns the facts about a data set and its prepared parts, without checksums.
func sizesOf(ds *datasets.Dataset, p *datasets.Prepared) rundir.DataFacts {
	rows, _ := ds.Y.Dims()
	n, d := p.Train.X.Dims()
	_, outputs := p.Train.Y.Dims()
	return rundir.DataFacts{
		Task: p.Task, Rows: rows, N: n, D: d, P: outputs,
		Classes: ds.Classes, Counts: ds.ClassCounts(),
		Validation: p.Validation.Len(), Test: p.Test.Len(), Uses: ds.Uses, Columns: ds.InputColumns(),
		Constant: constantIndicators(ds.InputColumns(), p.Train.X),
	}
}

// constantIndicators returns the inputs that encode categories and are constant over the rows of x, [N, D].
func constantIndicators(columns []datasets.InputColumn, x *mat.Dense) (list []int) {
	for _, c := range columns {
		for j := c.First; c.Category() && j < c.First+c.Width; j++ {
			values := mat.Col(nil, j, x)
			if slices.Min(values) == slices.Max(values) {
				list = append(list, j)
			}
		}
	}
	return list
}

// describe returns the facts about a data set and its prepared parts.
func describe(ds *datasets.Dataset, p *datasets.Prepared) rundir.DataFacts {
	facts := sizesOf(ds, p)
	facts.SHA256 = checksum(p)
	facts.TestSHA256 = p.TestSHA256
	facts.ContentSHA256 = p.ContentSHA256
	facts.SplitSHA256 = p.SplitSHA256
	return facts
}

// checksum returns the checksum of the standardised parts, row by row, with their known noise and weights.
func checksum(p *datasets.Prepared) string {
	sum := datasets.NewChecksum()
	for _, part := range []datasets.Part{p.Train, p.Validation, p.Test} {
		if part.Len() == 0 {
			continue
		}
		for _, m := range []*mat.Dense{part.X, part.Y} {
			for i := range part.Len() {
				sum.Add(m.RawRowView(i))
			}
		}
		sum.Add(part.Noise)
		sum.Add(part.Weights)
	}
	return sum.String()
}
