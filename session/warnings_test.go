package session

import (
	"errors"
	"fmt"
	"testing"
)

// Neither repeated warnings of one kind nor many kinds hide other warnings.
func TestWarningsDoNotHideOthers(t *testing.T) {
	var tr trainer
	for i := range 150 {
		tr.warnError("validation failed", fmt.Errorf("layer %d", i))
		tr.warn("a note")
	}
	tr.warnError("could not write a checkpoint", errors.New("the disk is full"))
	first := tr.warnings.view()
	want := []string{"validation failed: layer 149 (150 times)", "a note",
		"could not write a checkpoint: the disk is full"}
	if fmt.Sprint(first) != fmt.Sprint(want) {
		t.Errorf("warnings %q, want %q", first, want)
	}
	for i := range 150 {
		tr.warn("note %d", i)
	}
	if all := tr.warnings.view(); len(all) != maxWarnings+1 ||
		all[maxWarnings] != "and 53 more warnings" || len(first) != 3 {
		t.Errorf("%d warnings, the last %q", len(all), all[len(all)-1])
	}
}
