package tables

import (
	"strings"
	"testing"

	"dgplab/viz/figure"
)

func TestLongNamesFit(t *testing.T) {
	s := cdText(figure.LabelSize, 0, 0)
	long := strings.Repeat("width=5,5 ", 30)
	if got := fitText(&s, long, cdNames); s.Width(got) > cdNames || !strings.HasSuffix(got, "…") ||
		s.Font.Size >= figure.LabelSize {
		t.Errorf("%q at size %v is %v wide", got, s.Font.Size, s.Width(got))
	}
	s = cdText(figure.LabelSize, 0, 0)
	if got := fitText(&s, "star", cdNames); got != "star" || s.Font.Size != figure.LabelSize {
		t.Errorf("%q at size %v", got, s.Font.Size)
	}
}
