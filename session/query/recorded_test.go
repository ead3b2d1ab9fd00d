package query

import (
	"fmt"
	"strings"
	"testing"

	"dgplab/session/rundir/rundirtest"
	"dgplab/viz/golden"
)

// TestRecordedQueries compares the results and the errors of random queries over random runs with recorded
// ones.
func TestRecordedQueries(t *testing.T) {
	r := rundirtest.NewFiller(1)
	runs := rundirtest.Runs(r, 60)
	var sums golden.Sums
	for range 6000 {
		text := randomQuery(r)
		group := "words"
		for _, op := range operators {
			if strings.Contains(text, op) {
				group = op
				break
			}
		}
		q, err := Parse(text)
		if err != nil {
			sums.Add("errors of "+group, text, err.Error())
			continue
		}
		matching := q.Filter(runs)
		if len(matching) == 0 {
			group = "nothing"
		}
		sums.Add(group, text)
		for i := range matching {
			sums.Add(group, matching[i].ID)
		}
	}
	sums.Check(t, "queries")
}

// randomQuery returns a query of words, comparisons, negations and alternatives, now and then a wrong one.
func randomQuery(r *golden.Filler) string {
	var terms []string
	for range 1 + r.IntN(3) {
		term := golden.Pick(r, "", "", "", "", "-", "!", "-!")
		if r.IntN(4) == 0 {
			term += randomValue(r)
		} else {
			term += randomField(r) + golden.Pick(r, operators...) + randomValue(r)
			for range golden.Pick(r, 0, 0, 0, 1, 2) {
				term += "," + randomValue(r)
			}
		}
		if len(terms) > 0 && r.IntN(6) == 0 {
			terms = append(terms, golden.Pick(r, "or", "OR"))
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, golden.Pick(r, " ", " ", "  ", "\t"))
}

// randomField returns the name of a field.
func randomField(r *golden.Filler) string {
	if r.IntN(12) == 0 {
		return golden.Pick(r, "famly", "", "C", "größe", "test.", "or")
	}
	return golden.Pick(r, fields...)
}

// fields are the fields of random queries.
var fields = []string{
	"id", "Family", "dataset", "state", "tag", "note", "name", "step", "seconds", "created", "inducing",
	"learning_rate", "whiten", "width", "kernel", "objective", "rmse", "log_lik", "split", "preset", "seed",
	"stop", "drift", "parent", "sweep", "val.best", "evaluation", "kl", "ms_step", "parameters", "rescues",
	"error_rate", "coverage95", "loo", "rhat", "drift.objective", "budget", "crps_std", "steps",
}

// randomValue returns the right-hand side of a comparison, or a bare word.
func randomValue(r *golden.Filler) string {
	switch r.IntN(8) {
	case 0:
		return golden.Pick(r, `""`, `"two words"`, `"a b"`, `"or"`, `"\"x\""`, `"*"`, `"2,3"`, `"a`, `a"b`,
			`"a"b`)
	case 1:
		return golden.Pick(r, "*", "s*", "*r", "*.csv", "st?r", "2026*", "?", "*e*r*", "standard:1*")
	case 2:
		return golden.Pick(r, "2026", "2026-11", "2026-05-12", "2026-05-12T10", "2026-05-12T10:30",
			"2026-05-12T10:30:15", "2025", "tomorrow", "2026-06-0"+fmt.Sprint(1+r.IntN(9)))
	case 3:
		return golden.Pick(r, "90s", "1h", "1m30s", "soon", "0.5h", "nan", "inf", "-Inf")
	case 4:
		return golden.Pick(r, "0", "1", "2", "64", "064", "0.01", "1e-2", "1k", "2k", "0.0005M", "-1", "100",
			"12")
	case 5:
		return golden.Pick(r, "on", "off", "true", "0", "rbf", "matern", "2,3", "3", "5", "x")
	case 6:
		return golden.Pick(r, "star", "SVGP", "energy", "boston", "paper", "fig", "größte", "finished", "run",
			"ended", "failed", "standard:1", "default", "first", "lindinger2020", "gone")
	}
	return r.Word()
}

// TestRecordedOrders compares the orders of random runs by many fields with recorded ones.
func TestRecordedOrders(t *testing.T) {
	r := rundirtest.NewFiller(2)
	runs := rundirtest.Runs(r, 80)
	var sums golden.Sums
	for _, key := range fields {
		for _, descending := range []bool{false, true} {
			if err := Sort(runs, key, descending); err != nil {
				t.Fatal(err)
			}
			for i := range runs {
				sums.Add(key, runs[i].ID)
			}
		}
	}
	for range 3000 {
		a := randomValue(r) + randomValue(r)
		b := golden.Pick(r, a[:len(a)/2], "") + randomValue(r)
		sums.Add("natural order", fmt.Sprint(a, b, natural(a, b)))
	}
	sums.Check(t, "orders")
}
