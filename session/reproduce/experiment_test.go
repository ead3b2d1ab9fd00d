package reproduce

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"dgplab/session/sweep"
)

// Every experiment names families, settings and data sets of the program, and can be measured without
// runs and without downloads.
func TestExperiments(t *testing.T) {
	ids := IDs()
	if len(ids) < 20 {
		t.Fatalf("found only %v", ids)
	}
	for _, id := range ids {
		e, err := Get(id)
		if err != nil {
			t.Error(err)
			continue
		}
		table, err := e.Measure(nil)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		published := 0
		for _, c := range table.Cells() {
			if c.N != 0 || c.Apart {
				t.Errorf("%s: %+v without runs", id, c)
			}
			published++
		}
		if published == 0 || len(e.Differs) == 0 || e.Runs() == 0 {
			t.Errorf("%s: %d published numbers, %d differences, %d runs", id, published, len(e.Differs),
				e.Runs())
		}
	}
}

// small is an experiment on data sets of the program.
const small = `
title = "Scores"
source = "A paper"
place = "Table 1"
metric = "log_lik"
repetitions = 4
splits = "interpolation:0..1"
differs = ["fewer steps"]

[set]
steps = "20"
inducing = "8"

[[method]]
name = "A"
family = "svgp"
set = { inducing = "4" }

[[method]]
name = "B"
family = "linear"

[[method]]
name = "elsewhere"

[[data]]
name = "steps"
[data.published]
"A" = [-1.0, 0.1]
"B" = -2
"elsewhere" = [-3.0, 0.1]

[[data]]
name = "hills"
dataset = "mountaincar"
[data.published]
"A" = [1.0, 0.1]
"B" = [2.0, 0.1]
[data.excluded]
"B" = "in other units"

[[data]]
name = "gone"
skipped = "not to be had"
[data.published]
"A" = [0.5, 0.1]
`

func TestSettingsOfMethods(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	g := e.Grid()
	if len(g.Methods) != 2 || g.Methods[0].Set["steps"] != "20" || g.Methods[0].Set["inducing"] != "4" {
		t.Errorf("methods %v", g.Methods)
	}
	if _, has := g.Methods[1].Set["inducing"]; has {
		t.Error("linear has inducing points")
	}
	if e.Runs() != 8 || e.SweepName() != "small" || e.SplitsText() != "interpolation:0,interpolation:1" {
		t.Errorf("%d runs, %s, %s", e.Runs(), e.SweepName(), e.SplitsText())
	}
	got := e.SplitsNamed([]string{"1", "interpolation:0", "7"})
	if strings.Join(got, " ") != "interpolation:1 interpolation:0 7" {
		t.Errorf("splits %v", got)
	}
}

// Overrides change the settings of the methods that have them, are named in the table, and make a sweep of
// their own.
func TestOverride(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"inducing=6", ""}, {"linear.validation=0.2", ""}, {"svgp.batch=7", ""},
		{"linear.batch=3", "no method"}, {"inducing=6,7", "one value"}, {"inducing=0", "method A"},
		{"inducng=6", "no method"},
	} {
		axis, err := sweep.ParseAxis(c.text)
		if err != nil {
			t.Fatal(err)
		}
		err = e.Override(axis)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	a, b := e.Methods[0].Set, e.Methods[1].Set
	if a["inducing"] != "6" || a["batch"] != "7" || a["validation"] != "" || b["validation"] != "0.2" {
		t.Errorf("settings %v and %v", a, b)
	}
	table, err := e.Measure(nil)
	if err != nil {
		t.Fatal(err)
	}
	const changes = "changed by this command: inducing=6, linear.validation=0.2, svgp.batch=7"
	if notes := strings.Join(table.Notes(), "\n"); !strings.Contains(notes, changes) {
		t.Error(notes)
	}
	if name := e.SweepName(); name == "small" || sweep.CheckName(name) != nil {
		t.Errorf("the sweep is %s", name)
	}
}

// The protocol has the settings of the methods that are trained, with those of presets and defaults.
func TestProtocol(t *testing.T) {
	e, err := Get("bui2016/table3")
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Protocol()
	if err != nil {
		t.Fatal(err)
	}
	text := s.Markdown()
	for _, want := range []string{"| VI(KW)-2 | bnn-vi | 2 | 50 |", "| PBP-1 |", " 40 epochs |",
		"| DGP-3 100 | aep | 2 | 3 | 100 |", "| HMC-1 | bnn-hmc | 1 | 50 |  |  |  | 400 steps |",
		"standard:0..19", "boston, concrete", "original units"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// The protocol lists only methods that are trained, and its error names the method.
func TestProtocolOfTrainedMethods(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Protocol()
	if err != nil || len(s.Rows) != 2 || s.Rows[0][0].Text != "A" || s.Rows[1][0].Text != "B" {
		t.Errorf("rows %v, %v", s.Rows, err)
	}
	for note, want := range map[string]string{"in nats": "metric: score (in nats)", "": "metric: score"} {
		e.metric.Name, e.metric.Note = "score", note
		s, err := e.Protocol()
		if err != nil || !slices.Contains(s.Notes, want) {
			t.Errorf("notes %q, %v; want %s", s.Notes, err, want)
		}
	}
	e.Methods[0].Set["inducing"] = "0"
	if _, err := e.Protocol(); err == nil || !strings.HasPrefix(err.Error(), "method A: ") {
		t.Errorf("an invalid setting: %v", err)
	}
}

func TestPublishedJSON(t *testing.T) {
	var p Published
	for _, c := range []struct {
		value any
		want  string
	}{
		{1.5, `{"value":1.5,"error":null}`}, {[]any{int64(2), 0.1}, `{"value":2,"error":0.1}`},
		{"<0.05", `{"value":0.05,"error":null,"claim":"\u003c"}`},
	} {
		if err := p.UnmarshalTOML(c.value); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(p)
		if err != nil || string(text) != c.want {
			t.Errorf("%v: %s, %v; want %s", c.value, text, err, c.want)
		}
	}
}

// Errors name the entry that is wrong.
func TestBadExperiments(t *testing.T) {
	column := "\n[[column]]\nname = \"c\"\n"
	steps := "\n[[data]]\nname = \"steps\""
	for _, c := range []struct{ old, new, want string }{
		{`title = "Scores"`, ``, "title, source and place"},
		{`title`, `titel`, "line 2: unknown entry titel"},
		{`place = "Table 1"`, `place = `, "line 4"},
		{`repetitions = 4`, `spread = "variance"`, "line 6: spread"},
		{`repetitions = 4`, `spread = "sd"`, "number of repetitions"},
		{`log_lik`, `log_like`, "line 5: metric: unknown metric \"log_like\"; did you mean log_lik"},
		{`interpolation:0..1`, ``, "splits"},
		{`interpolation:0..1`, `interpolaton:0`, "line 7: splits"},
		{`repetitions = 4`, `seeds = "a"`, "line 6: seeds"},
		{`name = "B"`, `name = "A"`, "line 19: method \"A\": names must differ"},
		{`family = "linear"`, `family = "linea"`, "line 19: method B"},
		{`inducing = "4"`, `inducing = "0"`, "line 14: method A: "},
		{`"B" = -2`, `"C" = -2`, "unknown column \"C\""},
		{`"B" = -2`, `"B" = true`, "number"},
		{`"B" = -2`, `"B" = [1, 2, 3]`, "number and its error"},
		{`"B" = -2`, `"B" = [1, -2]`, "at least 0"},
		{`"B" = -2`, `"B" = "-2"`, "claim"},
		{`"B" = -2`, `"B" = ">x"`, "invalid syntax"},
		{`"B" = "in other units"`, `"elsewhere" = "x"`, "no published number"},
		{`dataset = "mountaincar"`, `dataset = "mountaincart"`, "line 33: data hills"},
		{steps, column + "a = \"A\"\nquantity = \"sum\"" + steps,
			"column c: unknown quantity"},
		{steps, column + "a = \"A\"\nquantity = \"ratio\"" + steps,
			"unknown method \"\""},
		{steps, column + "a = \"X\"\nquantity = \"score\"" + steps,
			"unknown method \"X\""},
		{steps,
			column + "a = \"A\"\nb = \"B\"\nquantity = \"score\"" + steps, "has no method b"},
		{steps, column + "a = \"A\"\nquantity = \"rank\"" + steps +
			"\n[data.published]\n\"c\" = 1\n[[data]]\nname = \"s\"",
			"ranks belong to the row all"},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		if text == small {
			t.Fatalf("%q is not in the experiment", c.old)
		}
		_, err := parse("small", text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	if _, err := parse("small", strings.Split(small, "[[method]]")[0]); err == nil {
		t.Error("an experiment without methods is valid")
	}
	// The entries of inline tables have no line of their own.
	top, rest, _ := strings.Cut(small, "[set]")
	methods := `method = [{ name = "A", family = "linear" }, { name = "A" }]`
	for inline, want := range map[string]string{
		`data = [{ name = "steps", skippd = "" }]`: "unknown entry data.skippd",
		methods: `method "A": names must differ`,
	} {
		tables, others, _ := strings.Cut(rest, "[[data]]")
		text := top + inline + "\n[set]" + tables
		if inline == methods {
			set, _, _ := strings.Cut(tables, "[[method]]")
			text = top + inline + "\n[set]" + set + "[[data]]" + others
		}
		if _, err := parse("small", text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", inline, err, want)
		}
	}
	for id, want := range map[string]string{
		"lindinger2020/tabel1": "; did you mean lindinger2020/table1?",
		"lindinger":            "; did you mean one of lindinger2020/",
		"Lindinger2020":        "; did you mean one of lindinger2020/",
		"nothing":              "; the experiments are bui2016/",
	} {
		if _, err := Get(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
}

// The parser takes minutes for tables in thousands of levels, which are refused before.
func TestDeepExperiments(t *testing.T) {
	for _, text := range []string{
		"a = " + strings.Repeat("{a = ", 10_000) + "1" + strings.Repeat("}", 10_000),
		"a" + strings.Repeat(".a", 20_000) + " = 1",
		"[a" + strings.Repeat(".a", 20_000) + "]",
	} {
		_, err := parse("deep", text)
		if err == nil || err.Error() != "more than 1000 inline tables, or parts of a dotted key" {
			t.Errorf("%.20s...: %.200v, want an error about the nesting", text, err)
		}
	}
}

// Any text is an experiment or has an error.
func FuzzParse(f *testing.F) {
	for _, id := range IDs() {
		e, err := Get(id)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(strings.Join(e.lines, "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parse("fuzzed", text)
		if err == nil && (e.Title == "" || len(e.Methods) == 0 || len(e.Data) == 0) {
			t.Errorf("an experiment without a title, methods or data is accepted: %q", text)
		}
	})
}
