package cli

import (
	"testing"

	"github.com/spf13/cobra"

	"dgplab/session/rundir"
)

// The workbench opens with a data set that is not cached, because it can fetch it.
func TestWorkbenchOpensOnDataThatAreNotHere(t *testing.T) {
	isolate(t)
	cmd := &cobra.Command{Use: "dgplab"}
	for name, ok := range map[string]bool{"yacht": true, "steps": true, "nosuch": false} {
		if err := checkWorkbench(cmd, withDefaults(rundir.Config{Dataset: name})); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := checkWorkbench(cmd, withDefaults(rundir.Config{
		Dataset: "yacht",
		Set:     map[string]string{"layers": "many"},
	})); err == nil {
		t.Error("an invalid value for a run on data that are not cached")
	}
}
