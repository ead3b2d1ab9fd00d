package dgp

import "testing"

func TestParsePattern(t *testing.T) {
	widths := []int{2, 2, 1}
	for text, want := range map[string]*Pattern{
		"mean-field":           MeanField(widths),
		"star":                 StripesAndArrow(widths),
		" chain ":              Chain(widths),
		"chain, fully-coupled": FullyCoupled(widths),
		"2.1-1.1,1.2-2.2,3.1-1.1,3.1-1.2,3.1-2.1,3.1-2.2": StripesAndArrow(widths),
		"1/01/101/0101/11111":                             StripesAndArrow(widths),
		"x..../.x.../x.x../.x.x./xxxxx":                   StripesAndArrow(widths),
		"1 / 0 1 / 0 0 1 / 0 0 0 1 / 0 0 0 0 1":           MeanField(widths),
	} {
		got, err := ParsePattern(widths, text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for i := range got.rows {
			for j := 0; j <= i; j++ {
				if got.Has(i, j) != want.Has(i, j) {
					t.Errorf("%q: block (%d, %d) is %v", text, i, j, got.Has(i, j))
				}
			}
		}
	}
}

func TestParsePatternErrors(t *testing.T) {
	for _, text := range []string{"", "stars", "4.1-1.1", "1.3-1.1", "1.1", "2.1-", "1/11",
		"1/01/101/0101/1111", "1/01/101/0101/11110", "1/01/101/0101/1111y"} {
		if _, err := ParsePattern([]int{2, 2, 1}, text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func FuzzParsePattern(f *testing.F) {
	f.Add("star, 2.1-1.2")
	f.Add("1/01/111")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePattern([]int{1, 1, 1}, text)
		if err == nil && (p.NumBlocks() < 3 || p.NumBlocks() > 6) {
			t.Errorf("%q has %d blocks", text, p.NumBlocks())
		}
	})
}
