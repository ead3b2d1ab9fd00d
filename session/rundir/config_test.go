package rundir

import (
	"os"
	"path/filepath"
	"testing"
)

// Hyperparameters that are missing in files of older versions get the values those versions used.
func TestMissingHyperparameters(t *testing.T) {
	dir := t.TempDir()
	text := `{"format": 1, "family": "mean-field", "values": {"learning_rate": "0.005", "warm_up": "7"}}`
	if err := os.WriteFile(filepath.Join(dir, configName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := ReadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	if c.Values["schedule"] != "stairs" || c.Values["warm_up"] != "7" {
		t.Errorf("values %v", c.Values)
	}
	if _, has := c.Values["layers"]; has {
		t.Errorf("a value was added: %v", c.Values)
	}
}
