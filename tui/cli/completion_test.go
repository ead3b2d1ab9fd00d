package cli

import (
	"slices"
	"strings"
	"testing"

	"dgplab/tui/kit/kittest"
)

// TestCompletion calls completion as shells do and checks the offered names and the file directive.
func TestCompletion(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"star"}, []string{"boston"}, 1, 1)
	cases := []struct {
		args  string // the last word is the typed text; _ stands for no text
		want  string // one of the offered names; "" for none
		files bool
	}{
		{"runs show 2025", ids[0], false},
		{"runs show " + ids[0] + " _", "", false},
		{"runs show la", "latest", false},
		{"train --family svgp --warm-start _", "latest", false},
		{"runs tag 2025", ids[0], false},
		{"runs tag " + ids[0] + " _", "", false},
		{"runs delete " + ids[0] + " _", ids[0], false},
		{"runs restore _", "", false},
		{"runs --sort rm", "rmse", false},
		{"train --from 2025", ids[0], false},
		{"train --resume 2025", ids[0], false},
		{"train --dataset st", "steps", true},
		{"train --set le", "learning_rate=", false},
		{"train --family svgp --set _", "whiten=", false},
		{"train --family nothing --set _", "", false},
		{"sweep --family star,mean", "star,mean-field", false},
		{"sweep --dataset a.csv,st", "a.csv,steps", true},
		{"sweep --family chain,star --set _", "inducing=", false},
		{"sweep --resume _", "", false},
		{"compare _", ids[0], false},
		{"compare --metric rmse,cr", "rmse,crps", false},
		{"compare --svg _", "", true},
		{"export _", ids[0], false},
		{"export --figure fit,cov", "fit,covariance", false},
		{"export --format svg,p", "svg,pdf", false},
		{"bench --family sta", "star", false},
		{"train --family svgp --preset _", "lindinger2020", false},
		{"train --family nothing --preset _", "", false},
		{"train --missing _", "drop", false},
		{"compare --ranks-by s", "split", false},
		{"export --report _", "", true},
		{"predict _", ids[0], false},
		{"predict latest _", "", true},
		{"predict --out _", "", true},
		{"predict --unknown _", "ignore", false},
		{"suggest --candidates _", "", true},
		{"suggest --goal _", "maximum", false},
		{"suggest --out _", "", true},
		{"bench --family star,svgp --set ep", "epsilon=", false},
	}
	for _, c := range cases {
		args := strings.Fields(c.args)
		if last := len(args) - 1; args[last] == "_" {
			args[last] = ""
		}
		lines := strings.Split(strings.TrimSpace(mustRun(t, append([]string{"__complete"}, args...)...).out),
			"\n")
		offered := lines[:len(lines)-1]
		directive := lines[len(lines)-1]
		for i, line := range offered {
			offered[i], _, _ = strings.Cut(line, "\t")
		}
		if c.want == "" && len(offered) > 0 || c.want != "" && !slices.Contains(offered, c.want) {
			t.Errorf("%s: %q is offered, want %q", c.args, offered, c.want)
		}
		if files := directive == ":0"; files != c.files {
			t.Errorf("%s: directive %s, want files %v", c.args, directive, c.files)
		}
	}
	if o := mustRun(t, "__complete", "export", "--out", ""); o.out != ":16\n" {
		t.Errorf("export --out completes %q, want folders alone", o.out)
	}
}
