package rundir

import (
	"math"
	"testing"

	"dgplab/models"
)

func TestStepLimit(t *testing.T) {
	for _, tt := range []struct {
		steps, epochs, batch string
		n, want              int
	}{
		{"500", "0", "100", 1000, 500},
		{"500", "", "", 0, 500}, // families without batches
		{"500", "3", "100", 1000, 30},
		{"500", "3", "100", 1001, 31}, // 30.03
		{"500", "1", "512", 100, 1},   // the batch holds all points
		{"500", "7", "512", 100, 7},
		{"500", "3", "100", 0, 0}, // unknown data
		{"", "", "", 10, 0},
		{"1", "1000000000", "1", math.MaxInt / 2, math.MaxInt},
	} {
		v := models.Values{StepsSetting: tt.steps, EpochsSetting: tt.epochs, BatchSetting: tt.batch}
		if got := StepLimit(v, tt.n); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}
