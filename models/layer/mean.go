package layer

import "dgplab/models/autodiff"

// recordExcess records the difference between means mu, [1][T*M][G], and the values of the mean
// function, [M][T][G], in the shape of mu.
func recordExcess(t *autodiff.Tape, mu, means *autodiff.Node) *autodiff.Node {
	out := t.Output(1, mu.Rows, mu.Cols, mu, means)
	inducing, outputs, cols := means.Batch, means.Rows, means.Cols
	subtract := func(dst, src []float64, of, from func(o, m int) int) {
		for o := range outputs {
			for m := range inducing {
				row := dst[of(o, m)*cols : (of(o, m)+1)*cols]
				for g, v := range src[from(o, m)*cols : (from(o, m)+1)*cols] {
					row[g] -= v
				}
			}
		}
	}
	byOutput := func(o, m int) int { return o*inducing + m }
	byPoint := func(o, m int) int { return m*outputs + o }
	return t.Record(out, func() error {
		copy(out.Value, mu.Value)
		subtract(out.Value, means.Value, byOutput, byPoint)
		return nil
	}, func() {
		g := out.Grad()
		dMu := mu.Grad()
		for i, v := range g {
			dMu[i] += v
		}
		subtract(means.Grad(), g, byPoint, byOutput)
	})
}
