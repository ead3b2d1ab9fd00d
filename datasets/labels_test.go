package datasets

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/task"
)

func TestLabels(t *testing.T) {
	tests := []struct {
		name, text string
		targets    []string
		task       task.Task
		classes    []string
		y          []float64
		said       string
	}{
		{"text", "1,dog\n2,cat\n3,bird\n4,cat\n", nil, task.Multiclass,
			[]string{"bird", "cat", "dog"}, []float64{2, 1, 0, 1},
			"target x2 is treated as 3 classes: bird (1), cat (2), dog (1)"},
		{"two", "a,kind\n1,yes\n2,no\n3,yes\n", nil, task.Binary, []string{"no", "yes"}, []float64{1, -1, 1},
			"target kind is treated as 2 classes: no (1), yes (2)"},
		{"numbers", "a,kind\n1,10\n2,9\n3,10\n4,11\n", []string{"kind:class"}, task.Multiclass,
			[]string{"9", "10", "11"}, []float64{1, 0, 1, 2},
			"target kind is treated as 3 classes: 9 (1), 10 (2), 11 (1)"},
		{"mixed", "1,10\n2,b\n3,10\n4,a\n", []string{"-1:class"}, task.Multiclass, []string{"10", "a", "b"},
			[]float64{0, 2, 0, 1}, "10 (2), a (1), b (1)"},
		{"missing", "1,x\n2,\n3,y\n4,NA\n5,z\n", nil, task.Multiclass, []string{"x", "y", "z"},
			[]float64{0, math.NaN(), 1, math.NaN(), 2}, "target x2 is missing in 2 of 5 rows"},
		{"zero and one", "1,0\n2,1\n3,1\n", nil, task.Binary, []string{"0", "1"}, []float64{-1, 1, 1}, ""},
		{"control characters", "1,a\tb\n2,\x1b[31mred\n3,c\n", nil, task.Multiclass,
			[]string{"[31mred", "a b", "c"}, []float64{1, 0, 2}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ds, err := ReadCSV(context.Background(), strings.NewReader(tt.text), Source{
				Name:    "f.csv",
				Targets: tt.targets,
			})
			if err != nil {
				t.Fatal(err)
			}
			same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
			if ds.Task != tt.task || !slices.Equal(ds.Classes, tt.classes) ||
				!slices.EqualFunc(ds.Y.RawMatrix().Data, tt.y, same) {
				t.Errorf("%v, classes %q, targets %v", ds.Task, ds.Classes, ds.Y.RawMatrix().Data)
			}
			if all := noteText(ds.Notes) + "\n" + noteText(ds.Warnings); !strings.Contains(all, tt.said) {
				t.Errorf("said %q", all)
			}
		})
	}
}

func TestLabelsErrors(t *testing.T) {
	var many strings.Builder
	for i := range 80 {
		many.WriteString("1," + strings.Repeat("a", i+1) + "\n")
	}
	for _, tt := range []struct {
		text    string
		targets []string
		want    string
	}{
		{"1,a,b\n2,c,d\n", []string{"1", "2"},
			"a target with class names must be the only target; there are 2"},
		{"1,a\n2,a\n", nil, "the target is constant (a in every row)"},
		{"x,1\n2,2\n3,1\n", nil, "line 1, column 1 (x1): the first row (x, 1) may be a header or data"},
		{"1,a\n2,1,5\n", nil, "the row has 3 cells"},
		{many.String(), nil, "the target has more than 64 classes"},
	} {
		_, err := ReadCSV(context.Background(), strings.NewReader(tt.text), Source{
			Name:    "f.csv",
			Targets: tt.targets,
		})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.20q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

// A target can have 64 classes.
func TestMostLabels(t *testing.T) {
	for classes, good := range map[int]bool{64: true, 65: false} {
		var text strings.Builder
		for i := range 2 * classes {
			text.WriteString("1," + strings.Repeat("a", i/2+1) + "\n")
		}
		ds, err := ReadCSV(t.Context(), strings.NewReader(text.String()), Source{Name: "f.csv"})
		if (err == nil) != good || good && len(ds.Classes) != classes {
			t.Errorf("%d classes: %v", classes, err)
		}
	}
}

// Prepare warns of classes without rows in the training set.
func TestUnseenClasses(t *testing.T) {
	ds, err := ReadCSV(context.Background(),
		strings.NewReader("1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n9,a\n10,c\n"), Source{Name: "f.csv"})
	if err != nil {
		t.Fatal(err)
	}
	ds.TestRows = [][]int{{8, 9}}
	p, err := Prepare(ds, Split{Kind: Standard}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p.Task != task.Multiclass || !slices.Contains(p.Warnings, "no row of the training set has class c") ||
		p.Scaling.TargetSD[0] != 1 || p.Test.Y.At(1, 0) != 2 {
		t.Errorf("%v, warnings %q, test %v", p.Task, p.Warnings, p.Test.Y)
	}
}
