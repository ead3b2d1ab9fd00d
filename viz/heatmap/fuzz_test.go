package heatmap

import (
	"testing"

	"dgplab/viz/golden"
)

func FuzzBlockMap(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		var b BlockMap
		for group := range int(d.Byte() % 5) {
			for range d.Byte() % 6 {
				b.Parts = append(b.Parts, Part{
					Group: group + int(d.Byte()%20/19),
					Size:  int(int8(d.Byte())),
					Cells: int(d.Byte() % 5),
				})
			}
		}
		if d.Byte()%8 == 0 {
			b.Log10 = d.Floats(50)
		} else {
			side := max(b.Side(), 0)
			b.Log10 = make([]float64, side*side)
			for i := range b.Log10 {
				b.Log10[i] = d.Float()
			}
		}
		row := BlockMaps{b}
		b.Title = d.Text()
		b.Lo = d.Float()
		b.Hi = d.Float()
		for range d.Byte() % 6 {
			row = append(row, b)
		}
		if d.Byte()%2 == 0 {
			b.Cursor = &Cursor{Place{int(int8(d.Byte())), int(int8(d.Byte())), int(int8(d.Byte()))},
				Place{int(d.Byte() % 3), int(d.Byte() % 3), int(d.Byte() % 5)}}
			for i := range row {
				row[i].Cursor = b.Cursor
			}
		}
		for _, style := range golden.Styles {
			if b.Cursor != nil {
				b.Moved(style, int(w), int(h), 1, -2)
				row.Moved(style, int(w), int(h), 0, -1, 1)
			}
			golden.CheckBox(t, b.Render(style, int(w), int(h)), style, int(w), int(h))
			golden.CheckBox(t, row.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}
