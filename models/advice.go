package models

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/BurntSushi/toml"

	"dgplab/datasets/task"
)

// Advice is a family that suits some tables, and the reason.
type Advice struct {
	// Question is what the user wants; see Questions.
	Question string `json:"question" toml:"question"`
	Family   string `json:"family" toml:"family"`
	// Rows holds the smallest and the largest number of training rows of these tables; 0 means any number.
	Rows [2]int `json:"-" toml:"rows"`
	// Targets is the smallest number of targets.
	Targets int `json:"-" toml:"targets"`
	// Reason is the end of a sentence about the family, and Source is where it is shown.
	Reason string `json:"reason" toml:"reason"`
	Source string `json:"source" toml:"source"`
}

// Table holds what the choice of a family depends on: the kind of targets, the numbers of training rows, of
// targets (columns), and of cells of targets without a value.
type Table struct {
	Task                   task.Task
	Rows, Targets, Missing int
}

// shortRun is a measured loss in accuracy: of runs of a family with few steps, against its default number.
type shortRun struct {
	Family string
	Steps  int
	// On Equal of Tables tables the test log-likelihood was at most Nats lower.
	Nats          float64
	Equal, Tables int
}

//go:embed advice.toml
var adviceText string

// advices and shortRuns hold the content of advice.toml.
var advices, shortRuns = func() ([]Advice, []shortRun) {
	var content struct {
		Advice []Advice
		Short  []shortRun
	}
	_, err := toml.Decode(adviceText, &content)
	if err != nil {
		panic(err) // The text is part of the program.
	}
	return content.Advice, content.Short
}()

// CostOfSteps describes the loss in accuracy of runs of a family with the given number of steps. It returns
// "" if the loss was not measured.
func CostOfSteps(family string, steps int) string {
	for _, s := range shortRuns {
		if s.Family == family && steps >= s.Steps {
			return fmt.Sprintf("under %g nats lost on %d of %d tables", s.Nats, s.Equal, s.Tables)
		}
	}
	return ""
}

// Questions returns the questions that Advise answers, in the order of the advice.
func Questions() []string {
	var list []string
	for _, a := range advices {
		if !slices.Contains(list, a.Question) {
			list = append(list, a.Question)
		}
	}
	return list
}

// mostAdvised is the largest number of families for a question.
const mostAdvised = 3

// Advise returns up to three families for each question, best first, that can be trained on a table.
func Advise(t Table) []Advice {
	var list []Advice
	for _, question := range Questions() {
		var found []Advice
		for _, a := range advices {
			known := slices.ContainsFunc(found, func(f Advice) bool { return f.Family == a.Family })
			if a.Question == question && !known && len(found) < mostAdvised && a.suits(t) {
				found = append(found, a)
			}
		}
		list = append(list, found...)
	}
	return list
}

// suits reports whether the advice holds for a table and its family can be trained on it.
func (a Advice) suits(t Table) bool {
	if t.Rows < a.Rows[0] || a.Rows[1] > 0 && t.Rows > a.Rows[1] || t.Targets < a.Targets {
		return false
	}
	spec, err := Lookup(a.Family)
	return err == nil && spec.Accepts.CheckCounts(t.Task, t.Targets, t.Missing) == nil
}

// Compared returns the advice that is worth a comparison: the best families of the questions, without
// repetition, and at most three.
func Compared(list []Advice) []Advice {
	var best []Advice
	question := ""
	for _, a := range list {
		known := slices.ContainsFunc(best, func(b Advice) bool { return b.Family == a.Family })
		if a.Question == question || known || len(best) == mostAdvised {
			continue
		}
		question = a.Question
		best = append(best, a)
	}
	return best
}
