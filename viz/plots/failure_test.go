package plots

import (
	"errors"
	"testing"
)

// full is a writer without space.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFitsReportAFailedTable(t *testing.T) {
	if err := demo(1).CSV(full{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}
