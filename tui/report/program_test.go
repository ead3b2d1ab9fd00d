package report

import "testing"

func TestProgram(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ann/go/bin/dgplab":                      "dgplab",
		"/tmp/go-build1234567/b001/exe/dgplab":         "go run .",
		"/home/ann/.cache/go-build/0a/0a1b2c-d/dgplab": "go run .",
		"/tmp/go-build1234567/b001/cli.test":           "dgplab",
		"/home/ann/go-builder/dgplab":                  "dgplab",
		"/home/ann/src/go-build-tools/bin/dgplab":      "dgplab",
	} {
		if got := programOf(path); got != want {
			t.Errorf("%s is started by %q, want %q", path, got, want)
		}
	}
}
