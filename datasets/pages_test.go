package datasets

import (
	"fmt"
	"testing"

	"dgplab/viz/golden"
)

// TestPages checks the generated table of the catalogue in the page.
func TestPages(t *testing.T) {
	var rows [][]string
	for _, info := range Catalogue() {
		source, splits := "built in", "-"
		if info.Kind == Fetchable {
			source, splits = "download", fmt.Sprint(info.Splits)
		}
		rows = append(rows, []string{"`" + info.Name + "`", source, fmt.Sprint(info.N), fmt.Sprint(info.D),
			fmt.Sprint(info.P), splits, info.Title})
	}
	table := golden.Table([]string{"name", "source", "rows", "D", "P", "splits", "title"}, rows)
	golden.Page(t, "README.md", "data", map[string]string{"data sets": table})
}
