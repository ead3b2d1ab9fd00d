package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ReadConfig returns an error if the file lacks what all readers need.
func TestUnreadableConfigurations(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadConfig(dir)
	if err == nil || !strings.Contains(err.Error(), "is not a run directory") {
		t.Errorf("an empty folder: %v", err)
	}
	for text, want := range map[string]string{
		`{`:            "unexpected end",
		`{"format":0}`: "this program reads format",
		`{"format":1}`: "values are missing",
		`{"format":1,"values":{},"objective_is":{"name":""}}`: "objective_is has no name",
	} {
		if err := os.WriteFile(filepath.Join(dir, configName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadConfig(dir)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Earlier versions recorded the likelihood argmax for all targets. It is kept only for several classes.
func TestRecordedArgmax(t *testing.T) {
	for kind, want := range map[string]string{"regression": "auto", "multiclass": "argmax"} {
		dir := t.TempDir()
		text := `{"format":1,"set":{"likelihood":"argmax"},"values":{"likelihood":"argmax"},` +
			`"objective_is":{"name":"ELBO"},"data":{"task":"` + kind + `"}}`
		if err := os.WriteFile(filepath.Join(dir, configName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := ReadConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, set := c.Set["likelihood"]
		if c.Values["likelihood"] != want || set != (want == "argmax") {
			t.Errorf("%s: %s, set %v", kind, c.Values["likelihood"], c.Set)
		}
	}
}

// Before its parameters are copied, a warm start names only its source.
func TestWarmStartText(t *testing.T) {
	w := &WarmStart{Run: "a", Family: "star", Step: 3, Own: []string{"x"}}
	for _, c := range []struct {
		w    *WarmStart
		want string
	}{
		{nil, ""}, {w, "a (star)"},
		{&WarmStart{Run: "a", Family: "star", Step: 3, Copied: []string{"x"}, Own: w.Own},
			"a (star, step 3), 1 of 2 parameters copied"},
	} {
		if got := c.w.Text(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	for span, want := range map[Span]string{{3, 3}: "step 3", {3, 5}: "steps 3 to 5"} {
		if got := span.String(); got != want {
			t.Errorf("%v: %s, want %s", [2]int(span), got, want)
		}
	}
}
