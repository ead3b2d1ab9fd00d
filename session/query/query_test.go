package query

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

func number64(x rundir.Number) *rundir.Number { return &x }

// sampleRuns returns four runs: two ended, one running and one broken.
func sampleRuns() []rundir.Info {
	nan := math.NaN()
	day := func(d, h int) time.Time { return time.Date(2026, 11, d, h, 30, 0, 0, time.Local) }
	a := rundir.Info{
		ConfigFile: rundir.ConfigFile{
			ID: "20261119-energy-star-aa", Created: day(19, 10), Parent: "20261101-x",
			Config: rundir.Config{
				Dataset: "energy",
				Family:  "star",
				Split:   "standard:10",
				Seed:    3,
				Preset:  "lindinger2020",
			},
			Values: models.Values{
				"inducing":      "64",
				"learning_rate": "0.010",
				"whiten":        "on",
				"width":         "2,3",
				"kernel":        "rbf",
			},
		},
		State: rundir.Ended, Step: 2000,
		Notes: rundir.Notes{
			Name: "Größte Reise",
			Tags: []string{"paper", "Fig3"},
			Note: "two words\nand more",
		},
		Results: &rundir.Summary{
			Stop:      rundir.StopSteps,
			Step:      2000,
			Seconds:   90,
			Objective: -120.5,
			Terms:     []rundir.Reading{{Key: "kl", Value: 12}},
			BestVal:   -0.5,
			BestStep:  10,
			Rescues:   2,
			Test: &rundir.Metrics{
				LogLik:   -0.75,
				RMSE:     number64(0.5),
				Coverage: map[string]rundir.Number{"95": 0.9},
			},
		},
	}
	b := rundir.Info{
		ConfigFile: rundir.ConfigFile{
			ID: "20261120-boston-svgp-bb", Created: day(20, 9),
			Config: rundir.Config{
				Dataset: "/data/boston (1).csv", Family: "svgp", Split: "standard:9", Seed: 1,
			},
			Values: models.Values{"inducing": "128", "learning_rate": "1e-3", "whiten": "off"},
		},
		State: rundir.Ended, Step: 500,
		Results: &rundir.Summary{
			Stop:      rundir.StopFailed,
			Step:      500,
			Seconds:   4000,
			Objective: rundir.Number(nan),
			BestVal:   rundir.Number(nan),
		},
	}
	c := rundir.Info{
		ConfigFile: rundir.ConfigFile{
			ID: "20261121-energy-star-cc", Created: day(21, 8), Sweep: "grid",
			Config: rundir.Config{Dataset: "energy", Family: "star", Split: "standard:2"},
			Values: models.Values{"inducing": "64"},
		},
		State: rundir.Running, Step: 20,
		Results: &rundir.Summary{
			Step:      20,
			Seconds:   2,
			Objective: -200,
			Terms:     []rundir.Reading{{Key: "kl", Value: 3}},
		},
	}
	d := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "20261122-broken"}, State: rundir.Broken}
	return []rundir.Info{a, b, c, d}
}

// letters returns the last letter of each run ID, and d for the broken run.
func letters(runs []rundir.Info) string {
	var s string
	for _, run := range runs {
		s += map[byte]string{'a': "a", 'b': "b", 'c': "c", 'n': "d"}[run.ID[len(run.ID)-1]]
	}
	return s
}

func TestMatch(t *testing.T) {
	tests := []struct{ query, want string }{
		{"", "abcd"},
		{"  \t ", "abcd"},
		{"energy", "ac"},
		{"ENERGY star", "ac"},
		{"größte", "a"},
		{`"two words"`, "a"},
		{`"words two"`, ""},
		{"star -paper", "c"},
		{"-star", "bd"},
		{"!-star", "ac"},
		{"2026*-star-*", "ac"},
		{"2026????-star", ""},
		{`"*"`, ""},
		{"*.csv", "b"},
		{`"(1)"`, "b"},
		{"family:star dataset:energy test.log_lik>-1", "a"},
		{"family:STA", "ac"},
		{"family:sta*", "ac"},
		{"family=sta", ""},
		{"Family=Star", "ac"},
		{"family!=star", "bd"},
		{"family:sta,svgp", "abc"},
		{"family=sta,svgp", "b"},
		{"family!=star,gp", "bd"},
		{"-family:star,svgp", "d"},
		{"dataset:*.csv,energy step<600", "bc"},
		{`dataset="boston (1).csv"`, "b"},
		{`dataset="/data/boston (1).csv"`, "b"},
		{"inducing=128,0064", "abc"},
		{"step:20,2k", "ac"},
		{"created:2026-11-19,2026-11-21", "ac"},
		{"svgp or state:run", "bc"},
		{"family:svgp OR energy step>1k or id:broken", "abd"},
		{"-star or paper", "abd"},
		{`"or"`, "a"},
		{"-or", "bcd"},
		{"order", ""},
		{"preset:lindinger2020", "a"},
		{"preset=default", "bc"},
		{"-preset:*", "d"},
		{"tag:fig", "a"},
		{"tag=fig3", "a"},
		{"tag!=paper", "bcd"},
		{"-tag:*", "bcd"},
		{`tag=""`, "bcd"},
		{`name:"größte reise"`, "a"},
		{`name=""`, "bcd"},
		{"state:run", "c"},
		{"state=finished", "a"},
		{"state:failed", "b"},
		{"state=ended", "ab"},
		{"-state:finished", "bcd"},
		{"stop=failed", "b"},
		{"stop:*", "ab"},
		{"parent:20261101", "a"},
		{"sweep=grid", "c"},
		{"seed:3", "a"},
		{"seed=1", "b"},
		{"step>=500", "ab"},
		{"step>1.9k", "a"},
		{"step<0.0005M", "cd"},
		{"seconds>1m30s", "b"},
		{"seconds>=90", "ab"},
		{"seconds<=1.5m seconds:*", "ac"},
		{"objective<-150", "c"},
		{"elbo<-150", "c"},
		{"elbo:*", "ac"},
		{"kl>3", "a"},
		{"val.best>-1", "a"},
		{"val.best:*", "a"},
		{"rescues=0", "bc"},
		{"log_lik>-1", "a"},
		{"test.log_lik>-1", "a"},
		{"test.log_lik<=-1", ""},
		{"-test.log_lik>-1", "bcd"},
		{"test.log_lik!=5", "abcd"},
		{"test.coverage95<0.95", "a"},
		{"test.crps:*", ""},
		{"inducing=64", "ac"},
		{"inducing:6", ""},
		{"inducing=064", "ac"},
		{"inducing>64", "b"},
		{"inducing:1*", "b"},
		{"learning_rate=0.01", "a"},
		{"learning_rate<1e-2", "b"},
		{"whiten=true", "a"},
		{"whiten:0", "b"},
		{"whiten!=on", "bcd"},
		{"width:3", "a"},
		{"width=2,3", "a"},
		{"width=3,2", ""},
		{`width="2,3"`, "a"},
		{"width:4,2", "a"},
		{"width>1", ""},
		{"kernel:rb", "a"},
		{"kernel:*", "a"},
		{`tag:"*"`, ""},
		{"created:2026", "abc"},
		{"created:2025", ""},
		{"created:2026-11", "abc"},
		{"created:2026-10", ""},
		{"created:2026-11-19", "a"},
		{"created:2026-11-18", ""},
		{"created:2026-11-20T08", ""},
		{"created:2026-11-20T09:29", ""},
		{"created:2026-11-20T09:30:00", "b"},
		{"created:2026-11-20T09:29:59", ""},
		{"created>2026-11-20", "c"},
		{"created>=2026-11-20", "bc"},
		{"created<=2026-11-20", "ab"},
		{"created<2026-11-20", "a"},
		{"created=2026-11-20T09", "b"},
		{"created=2026-11-20T09:30", "b"},
		{"created!=2026-11-20T09:31", "abcd"},
		{"created:*", "abc"},
	}
	for _, tt := range tests {
		q, err := Parse(tt.query)
		if err != nil {
			t.Errorf("%s: %v", tt.query, err)
			continue
		}
		if got := letters(q.Filter(sampleRuns())); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.query, got, tt.want)
		}
	}
}

func TestDatesOfToday(t *testing.T) {
	from, until, ok := parseDate("today")
	before, end, ok2 := parseDate("yesterday")
	// A day with a change of the clock has 23 or 25 hours.
	day := func(d time.Duration) bool { return d >= 23*time.Hour && d <= 25*time.Hour }
	if now := time.Now(); !ok || !ok2 || !end.Equal(from) || now.Before(before) ||
		!day(until.Sub(from)) || !day(from.Sub(before)) {
		t.Errorf("today %v to %v, yesterday from %v", from, until, before)
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		glob, text string
		want       bool
	}{
		{"*", "", true}, {"**", "a", true}, {"a*", "", false}, {"a**", "a", true}, {"a*b", "ab", true},
		{"?", "", false}, {"?", "a", true}, {"a?c", "ac", false}, {"a?c", "abc", true}, {"*?", "a", true},
		{"*aab", "aaab", true}, {"*ab*c", "aabxabc", true}, {"a*b*c", "axbxbc", true},
		{"a*b*c", "axbxbcd", false}, {"*b", "aa", false}, {"a*b?", "abab", false}, {"a*b?", "ababa", true},
	} {
		if got := pattern(tt.glob)(tt.text); got != tt.want {
			t.Errorf("%s matches %q: %v", tt.glob, tt.text, got)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		query   string
		column  int
		want    string
		unknown string
	}{
		{"star famly:x", 6, `unknown field "famly"`, "famly"},
		{"-C:x", 2, `unknown field "C"`, "C"},
		{"or star", 1, "missing term before or", ""},
		{"star or Or svgp", 9, "missing term before or", ""},
		{"star or ", 6, "missing term after or", ""},
		{"star or", 6, "missing term after or", ""},
		{`"a\`, 1, "unclosed quotation mark", ""},
		{"step>\x01", 6, `step>"\x01": want a number`, ""},
		{"seconds>nan", 9, "want a duration", ""},
		{"family:star,,svgp", 8, "missing value in the list", ""},
		{"inducing>64,128", 10, "a list has no order", ""},
		{"step:20,many", 6, "want a number", ""},
		{"star -", 6, "missing term after -", ""},
		{"! x", 1, "missing term after !", ""},
		{":x", 1, "missing field before :", ""},
		{"größe >=5", 7, "missing field before >=", ""},
		{"tag:", 1, "missing value after tag:", ""},
		{"x tag: y", 3, "missing value after tag:", ""},
		{`a "b`, 3, "unclosed quotation mark", ""},
		{`name:"b`, 6, "unclosed quotation mark", ""},
		{`"a"b`, 4, "after the closing", ""},
		{`a"b`, 2, "inside a word", ""},
		{`name:a"b`, 7, "inside a value", ""},
		{"family>a", 8, "have no order", ""},
		{"step>many", 6, "want a number", ""},
		{"step>nan", 6, "want a number", ""},
		{"inducing>x", 10, "want a number", ""},
		{"seconds>soon", 9, "want a duration", ""},
		{"created>tomorrow", 9, "want a date", ""},
		{"created:26-1-1", 9, "want a date", ""},
	}
	for _, tt := range tests {
		_, err := Parse(tt.query)
		var e *Error
		if !errors.As(err, &e) || e.Column != tt.column ||
			!strings.Contains(e.Message, tt.want) || e.Unknown != tt.unknown {
			t.Errorf("%s: %v, want %q at %d", tt.query, err, tt.want, tt.column)
		}
	}
}

func TestSort(t *testing.T) {
	tests := []struct{ key, up, down string }{
		{"created", "abcd", "cbad"},
		{"step", "dcba", "abcd"},
		{"split", "cbad", "abcd"},
		{"TEST.log_lik", "abcd", "abcd"},
		{"elbo", "cabd", "acbd"},
		{"inducing", "acbd", "bacd"},
		{"learning_rate", "bacd", "abcd"},
		{"dataset", "bacd", "acbd"},
		{"seconds", "cabd", "bacd"},
		{"name", "abcd", "abcd"},
	}
	for _, tt := range tests {
		for _, descending := range []bool{false, true} {
			want := tt.up
			if descending {
				want = tt.down
			}
			runs := sampleRuns()
			if err := Sort(runs, tt.key, descending); err != nil || letters(runs) != want {
				t.Errorf("%s, descending %v: %q, %v; want %q", tt.key, descending, letters(runs), err, want)
			}
		}
	}
	var e *Error
	if err := Sort(sampleRuns(), "inducting", false); !errors.As(err, &e) || e.Unknown != "inducting" ||
		strings.Contains(err.Error(), "character") {
		t.Error(err)
	}
}

// Energies and bounds are sorted separately, and so are bounds with different names.
func TestSortKeepsObjectivesApart(t *testing.T) {
	run := func(id string, kind family.ObjectiveKind, name string, value float64) rundir.Info {
		is := family.Objective{Name: name, Kind: kind}
		results := &rundir.Summary{
			Step: 1, Objective: rundir.Number(value), ObjectiveIs: is,
			Terms: []rundir.Reading{{Key: "kl", Value: -value}},
		}
		return rundir.Info{ConfigFile: rundir.ConfigFile{ID: id, ObjectiveIs: is}, Step: 1, Results: results}
	}
	runs := []rundir.Info{
		run("x", family.Energy, "energy", -20), run("a", family.Bound, "ELBO", -10),
		run("n", family.Evidence, "evidence", math.NaN()),
		run("y", family.Energy, "energy", -5), run("b", family.Bound, "ELBO", -30),
		run("c", family.Bound, "collapsed bound", -1),
	}
	for _, tt := range []struct {
		key        string
		descending bool
		want       string
	}{
		{"objective", false, "bacxyn"}, {"objective", true, "abcyxn"},
		{"kl", false, "abcyxn"}, {"id", false, "abcnxy"},
	} {
		list, got := slices.Clone(runs), ""
		if err := Sort(list, tt.key, tt.descending); err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			got += r.ID
		}
		if got != tt.want {
			t.Errorf("%s, descending %v: %s, want %s", tt.key, tt.descending, got, tt.want)
		}
	}
}

func TestNatural(t *testing.T) {
	list := []string{"", "a", "a1", "a2", "a10", "a10b", "a010c", "b", "z9", "z99999999999999999999999999"}
	for i, a := range list {
		for j, b := range list {
			if got := natural(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("natural(%q, %q) = %d", a, b, got)
			}
		}
	}
}

// Lists hold thousands of runs, so reading a field must not allocate memory.
func TestMatchesAndKeysDoNotAllocate(t *testing.T) {
	runs := sampleRuns()[1:3]
	q, err := Parse("energy family:star state:run step>10 kl>1 objective<0 created>2026 inducing=64")
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(10, func() {
		for i := range runs {
			q.Match(metric.OfInfo(&runs[i]))
		}
	}); n > 0 {
		t.Errorf("matching allocates %v times", n)
	}
	for _, key := range []string{"id", "created", "log_lik", "objective", "seconds", "split"} {
		order, err := By(key, true)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(10, func() {
			for i := range runs {
				order.field.sortKey(metric.OfInfo(&runs[i]))
			}
		}); n > 0 {
			t.Errorf("the key of %s allocates %v times", key, n)
		}
	}
}

// FuzzParse checks that any text parses or gives a one-line error with a position inside the text,
// and that a query and its negation partition the runs.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"family:star dataset:energy test.log_lik>-1", `-name:"a \"b\" c" !x`,
		"created>=2026-11-20T09:30", "seconds<1h30m",
		"a*b?c", "width=2,3 inducing>1k", `"`, "!!-", "x!=y", "tag!=", "step<=-Inf", "\x00:\xff",
		"ſtate:Σ", `""`, `name=""`, "a or b:c,d", "or", "x=1, or",
	} {
		f.Add(text)
	}
	runs := sampleRuns()
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Column < 1 || e.Column > len([]rune(text)) ||
				strings.ContainsFunc(err.Error(), unicode.IsControl) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		for i := range runs {
			q.Match(metric.OfInfo(&runs[i]))
		}
		if len(q.alternatives) == 1 && len(q.alternatives[0]) == 1 {
			opposite, err := Parse("-" + strings.TrimSpace(text))
			if err != nil {
				t.Fatalf("-%q: %v", text, err)
			}
			for i := range runs {
				run := metric.OfInfo(&runs[i])
				if q.Match(run) == opposite.Match(run) {
					t.Errorf("%q and its negation agree about %s", text, run.ID())
				}
			}
		}
	})
}
