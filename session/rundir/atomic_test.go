package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Errors describe the expected JSON without naming Go types.
func TestJSONErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	var value struct {
		Step   int                `json:"step"`
		Share  *float64           `json:"share"`
		On     bool               `json:"on"`
		Name   string             `json:"name"`
		Tags   []string           `json:"tags"`
		Inside struct{ N Number } `json:"inside"`
	}
	for text, want := range map[string]string{
		`[1]`:                   "JSON array instead of an object",
		`{"step": 1.5}`:         "step: JSON number 1.5 instead of a whole number",
		`{"share": "x"}`:        "share: JSON string instead of a number",
		`{"on": 1}`:             "on: JSON number instead of true or false",
		`{"name": []}`:          "name: JSON array instead of a string",
		`{"tags": {}}`:          "tags: JSON object instead of an array",
		`{"inside": {"N": ""}}`: "JSON string instead of a number",
		`{"step": `:             "unexpected end of JSON input",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := ReadJSON(path, &value)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
