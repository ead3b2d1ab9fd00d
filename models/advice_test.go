package models

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/viz/golden"
)

// The advice is about families that exist, and every entry is the answer for some table.
func TestAdviceIsSound(t *testing.T) {
	for _, a := range advices {
		if _, err := Lookup(a.Family); err != nil {
			t.Error(err)
		}
		if a.Reason == "" || a.Source == "" || strings.HasSuffix(a.Reason, ".") {
			t.Errorf("%s for %s: the reason %q is the end of a sentence without a stop, and needs a source",
				a.Family, a.Question, a.Reason)
		}
		given := false
		eachTable(func(table Table) { given = given || slices.Contains(Advise(table), a) })
		if !given {
			t.Errorf("%s for %s is the advice for no table", a.Family, a.Question)
		}
	}
}

// Short runs were compared for families that exist, and lost little on some of the tables.
func TestShortRunsAreSound(t *testing.T) {
	for _, s := range shortRuns {
		if _, err := Lookup(s.Family); err != nil {
			t.Error(err)
		}
		if s.Steps <= 0 || s.Nats <= 0 || s.Equal <= 0 || s.Equal > s.Tables {
			t.Errorf("%+v: not a result", s)
		}
	}
}

// Every table has advice for each question but interpretability, of families that can be trained on it.
func TestAdviceFitsTables(t *testing.T) {
	eachTable(func(table Table) {
		list := Advise(table)
		for _, question := range Questions() {
			answers := func(a Advice) bool { return a.Question == question }
			if question != "interpretability" && !slices.ContainsFunc(list, answers) {
				t.Errorf("%+v: no advice for %s", table, question)
			}
		}
		for _, a := range list {
			spec, _ := Lookup(a.Family)
			if err := spec.Accepts.CheckCounts(table.Task, table.Targets, table.Missing); err != nil {
				t.Errorf("%+v: %s for %s: %v", table, a.Family, a.Question, err)
			}
		}
		var families []string
		for _, a := range Compared(list) {
			families = append(families, a.Family)
		}
		different := slices.Compact(slices.Sorted(slices.Values(families)))
		if n := len(families); n == 0 || n > 3 || len(different) != n {
			t.Errorf("%+v: the families to compare are %q", table, families)
		}
	})
}

// eachTable visits small and large tables of all kinds.
func eachTable(visit func(Table)) {
	for _, kind := range []task.Task{task.Regression, task.Binary, task.Multiclass, task.Count} {
		for _, rows := range []int{10, 80, 300, 900, 4000, 15000, 1_000_000} {
			visit(Table{Task: kind, Rows: rows, Targets: 1})
			if kind == task.Regression {
				visit(Table{Task: kind, Rows: rows, Targets: 3})
				visit(Table{Task: kind, Rows: rows, Targets: 3, Missing: 5})
				visit(Table{Task: kind, Rows: rows, Targets: 1, Missing: 5})
			}
		}
	}
}

func TestPagesOfAdvice(t *testing.T) {
	var rows [][]string
	for _, a := range advices {
		tables := "any number of rows"
		switch {
		case a.Rows[0] > 0 && a.Rows[1] > 0:
			tables = fmt.Sprintf("%d to %d rows", a.Rows[0], a.Rows[1])
		case a.Rows[0] > 0:
			tables = fmt.Sprintf("at least %d rows", a.Rows[0])
		case a.Rows[1] > 0:
			tables = fmt.Sprintf("at most %d rows", a.Rows[1])
		}
		if a.Targets > 1 {
			tables += fmt.Sprintf(", at least %d targets", a.Targets)
		}
		rows = append(rows, []string{a.Question, "`" + a.Family + "`", tables, a.Reason, a.Source})
	}
	golden.Page(t, "README.md", "advice", map[string]string{
		"advice": golden.Table([]string{"for", "family", "training rows", "reason", "source"}, rows),
	})
}
