package rundir

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// checkOneLine fails the test if an error has more than one line.
func checkOneLine(t *testing.T, err error) {
	t.Helper()
	if strings.ContainsAny(err.Error(), "\n\r\x1b") {
		t.Errorf("the error is not one line: %q", err)
	}
}

// Diagnostics that were read can be written and read again.
func FuzzDiagnostics(f *testing.F) {
	for _, text := range []string{
		`{"format":1,"step":7,"seconds":null,"units":[{"lengthscales":[1],"units":[{"mean":1,"sd":null,` +
			`"curves":[[1,2]]}]}]}`,
		`{"format":1,"blocks":{"parts":[{"group":0,"index":0,"size":9,"cells":1}],"log10":[[-3.14]]}}`,
		`{"format":1,"blocks":{"parts":[{"size":9,"cells":1},{"group":1,"size":9,"cells":1}],` +
			`"log10":[[-3.14],[null,0]]}}`,
		`{"format":1,"blocks":{"parts":[{"size":9,"cells":1000000000}],"log10":[[0]]}}`,
		`{"format":1,"plane":{"inputs":["a","b"],"x":[0,1],"y":[0],"fields":[{"name":"p","values":[[0,` +
			`1]]}]}}`,
		`{"format":1,"matrices":{"matrices":[{"name":"K","condition":null}]}}`, `{"format":2}`, `[]`,
		`{"format":1,"weights":{"layers":[{"histogram":[]}]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := decodeDiagnostics(text)
		if err != nil {
			checkOneLine(t, err)
			return
		}
		again, err := json.Marshal(&diagnosticsFile{diagnosticsVersion, d})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeDiagnostics(again); err != nil {
			t.Errorf("written diagnostics cannot be read: %v\n%s", err, again)
		}
	})
}

// Predictions have the numbers of points and targets given in the first line of their file.
func FuzzPointsFile(f *testing.F) {
	for _, text := range []string{
		"# {\"format\":1,\"points\":1,\"targets\":1,\"names\":[\"y\"]}\n" +
			"row,log_lik,distance,target,mean,variance,pit\n0,1,2,3,4,5,6\n",
		"# {\"format\":1,\"points\":1,\"targets\":2,\"names\":[\"y\",\"z\"],\"marginal\":true}\n" +
			"row,log_lik,distance,target_1,mean_1,variance_1,pit_1,log_lik_1," +
			"target_2,mean_2,variance_2,pit_2,log_lik_2\n0,1,2,3,4,5,6,7,8,9,10,11,12\n",
		"# {\"format\":1,\"points\":1,\"targets\":1,\"names\":[\"y\"],\"classes\":true," +
			"\"class_names\":[\"a\",\"b\"]}\nrow,log_lik,distance,target,probability\n0,1,2,-1,NaN\n",
		"# {\"format\":1,\"points\":1,\"targets\":1,\"names\":[\"y\"],\"classes\":true," +
			"\"class_names\":[\"a\",\"b\",\"c\"]}\n" +
			"row,log_lik,distance,target,probability_0,probability_1,probability_2\n0,1,2,7,0,0,1\n",
		"# {\"format\":1,\"points\":1000000000,\"targets\":1000000000}\n",
		"# {\"format\":1,\"points\":-1,\"targets\":0}\n", "# {}\n", "",
		"# {\"format\":1,\"targets\":1}\n\x1b",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := readPoints(bytes.NewReader(text))
		if err != nil {
			checkOneLine(t, err)
			return
		}
		p.Tested()
		for i := range p.N {
			p.ClassOf(i)
			p.appendRow(nil, i)
		}
		p.Thin(2)
	})
}

// A repair keeps the readable lines in order, and a second repair changes nothing.
func FuzzSalvage(f *testing.F) {
	f.Add([]byte(reportLine + "\n{\"step\":20,\"phase\":\"warm-up\"}\n[1]\nnull"))
	f.Add([]byte("{\"step\":1}\n\x00\x00\n{\"step\":2}\n{\"step\":2}\n{\"step\":1}\n{\"step\":3}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		ascending := func() func(Point) bool {
			last := 0
			return func(p Point) bool {
				ok := p.Step > last
				last = max(last, p.Step)
				return ok
			}
		}
		var once, twice bytes.Buffer
		if err := copySound(&once, bytes.NewReader(text), ascending()); err != nil {
			t.Fatal(err)
		}
		sound := ascending()
		n, err := parseLines(bytes.NewReader(once.Bytes()), 0, func(p Point, _ int64) bool {
			return sound(p)
		})
		if err != nil || n != int64(once.Len()) {
			t.Errorf("%d of %d bytes are readable, %v", n, once.Len(), err)
		}
		if err := copySound(&twice, bytes.NewReader(once.Bytes()), ascending()); err != nil ||
			!bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Errorf("another repair changes the lines: %v", err)
		}
	})
}

// Other files of a run directory are read without panics.
func FuzzRunFiles(f *testing.F) {
	for _, text := range []string{`{"format":1,"id":"a","objective_is":{"name":"ELBO","terms":[{"key":"kl",` +
		`"name":"KL"}]},"kl":null,"step":1}`, `{"format":1,"lost_lines":[[1,2]]}`,
		`{"format":1,"name":"a","tags":["b"]}`, `{"test":{"outputs":[null,{"output":"a"}]}}`, `null`, `[]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var config ConfigFile
		var summary Summary
		var notes notesFile
		for _, into := range []any{&config, &summary, &notes} {
			if err := json.Unmarshal(text, into); err != nil {
				checkOneLine(t, jsonError(err))
			}
		}
		if _, err := json.Marshal(&summary); err != nil {
			t.Error(err)
		}
		if summary.Test != nil {
			summary.Test.ForOutput("a")
		}
		summary.Parts()
		_ = StepLimit(config.Values, 10)
	})
}
