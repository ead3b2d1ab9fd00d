package blocks

import (
	"testing"

	"dgplab/viz/viztest"
)

func FuzzBlockMap(f *testing.F) {
	viztest.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &viztest.Decoder{Data: data}
		b := Map{Cells: int(d.Byte() % 5), M: int(int8(d.Byte())), Decades: d.Float()}
		for range d.Byte() % 5 {
			b.GPs = append(b.GPs, int(d.Byte()%6))
		}
		if d.Byte()%8 == 0 {
			b.Log10 = d.Floats(50)
		} else {
			side := b.total() * b.Cells
			b.Log10 = make([]float64, side*side)
			for i := range b.Log10 {
				b.Log10[i] = d.Float()
			}
		}
		row := Maps{b}
		b.Title, b.Lo, b.Hi = d.Text(), d.Float(), d.Float()
		for range d.Byte() % 6 {
			row = append(row, b)
		}
		for _, style := range viztest.Styles {
			viztest.CheckBox(t, b.Render(style, int(w), int(h)), style, int(w), int(h))
			viztest.CheckBox(t, row.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}
