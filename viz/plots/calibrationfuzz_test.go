package plots

import (
	"testing"

	"dgplab/viz/golden"
)

func FuzzCalibration(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		b := Histogram{d.Floats(40), d.Float(), d.Float(), d.Text(), d.Text(), d.Text(), d.Text(), d.Text(),
			int(int8(d.Byte())), d.Float(), [2]float64{d.Float(), d.Float()}, d.Float(),
			d.Floats(9), d.Floats(3), int(d.Byte())}
		pit := NewPITHistogram(d.Floats(200), int(int8(d.Byte())))
		histogram := NewHistogram(d.Floats(60), int(int8(d.Byte())), d.Float(), d.Float())
		ranks := NewRankHistogram([]int{int(int8(d.Byte())), int(d.Byte())})
		var c Coverage
		for range d.Byte() % 4 {
			c.Lines = append(c.Lines, CoverageLine{d.Text(), d.Text(), int(int8(d.Byte())), d.Floats(20),
				d.Floats(20), int(int8(d.Byte()))})
		}
		confidence := d.Floats(60)
		right := make([]bool, len(confidence))
		for i := range right {
			right[i] = d.Byte()%2 == 0
		}
		reliability := Reliability{[]ReliabilityLine{NewReliabilityLine(confidence,
			right, int(int8(d.Byte())))}}
		reliability.Lines[0].Label = d.Text()
		reliability.Lines[0].Step = d.Text()
		reliability.Lines[0].Run = int(int8(d.Byte()))
		c.Lines = append(c.Lines, NewCoverageLine(d.Floats(100), int(int8(d.Byte()))))
		for _, style := range golden.Styles {
			for _, r := range []golden.Picture{b, pit, histogram, ranks, c, reliability} {
				golden.CheckBox(t, r.Render(style, int(w), int(h)), style, int(w), int(h))
			}
		}
	})
}
