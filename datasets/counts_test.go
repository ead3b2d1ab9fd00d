package datasets

import (
	"context"
	"strings"
	"testing"

	"dgplab/datasets/task"
)

// The suffix ":count" makes the task Count and keeps the targets unscaled; a target that is not a whole
// number from 0 is an error that names its line.
func TestCounts(t *testing.T) {
	text := "x,n\n1,0\n2,3\n3,5\n4,1\n5,40\n6,2\n7,2\n8,9\n9,4\n10,1\n"
	source := Source{Name: "a.csv", Targets: []string{"n:count"}}
	ds, err := ReadCSV(context.Background(), strings.NewReader(text), source)
	if err != nil || ds.Task != task.Count || ds.Y.At(4, 0) != 40 {
		t.Fatalf("%v, %v", ds, err)
	}
	p, err := Prepare(ds, Split{Kind: Interpolation}, 0, 1)
	if err != nil || p.Scaling.TargetMean[0] != 0 || p.Scaling.TargetSD[0] != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	logs := *ds
	logs.LogTargets = true
	if _, err := Prepare(&logs, Split{Kind: Interpolation}, 0, 1); err == nil ||
		!strings.Contains(err.Error(), "counts have no logarithms") {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"2.5", "-1"} {
		_, err := ReadCSV(context.Background(), strings.NewReader(strings.Replace(text, "40", bad, 1)),
			source)
		if err == nil || !strings.Contains(err.Error(), "line 6") ||
			!strings.Contains(err.Error(), "not a count") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
