package view

import (
	"encoding/json"
	"math"
	"testing"
)

func TestFloatRoundTrip(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), 0.1, -1e-300, math.MaxFloat64, math.NaN(),
		math.Inf(1), math.Inf(-1)} {
		text, err := json.Marshal(Float(x))
		if err != nil {
			t.Fatal(err)
		}
		var got Float
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		want := x
		if math.IsInf(x, 0) {
			want = math.NaN()
		}
		if math.Float64bits(float64(got)) != math.Float64bits(want) {
			t.Errorf("%v: %s reads as %v", x, text, got)
		}
	}
}

func TestRounded(t *testing.T) {
	text, err := json.Marshal(Rounded{1.0 / 3, math.NaN(), -2})
	if err != nil || string(text) != "[0.333333,null,-2]" {
		t.Fatalf("%s, %v", text, err)
	}
	var got Rounded
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 3 || got[0] != 0.333333 ||
		!math.IsNaN(got[1]) || got[2] != -2 {
		t.Errorf("%v, %v", got, err)
	}
	// Seconds since 1970, five hours apart: the range keeps six digits.
	text, err = json.Marshal(Rounded{1677650400, math.NaN(), 1677668400.123})
	if err != nil || string(text) != "[1677650400,null,1677668400.1]" {
		t.Errorf("%s, %v", text, err)
	}
	if err := json.Unmarshal([]byte(`["x"]`), &got); err == nil {
		t.Error("text was read as a number")
	}
}
