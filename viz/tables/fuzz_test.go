package tables

import (
	"testing"

	"dgplab/viz/golden"
)

func FuzzTable(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		table := Table{Selected: int(int8(d.Byte())), Mark: d.Byte()%2 == 0}
		for range d.Byte() % 6 {
			table.Columns = append(table.Columns,
				Column{d.Text(), d.Text(), d.Byte()%2 == 0, d.Byte()%2 == 0, int(int8(d.Byte())),
					int(d.Byte() % 4), d.Byte()%4 == 0})
		}
		for range d.Byte() % 12 {
			var row []string
			for range d.Byte() % 8 {
				row = append(row, d.Text())
			}
			table.Rows = append(table.Rows, row)
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, table.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}
