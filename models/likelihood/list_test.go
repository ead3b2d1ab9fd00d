package likelihood

import (
	"strings"
	"testing"

	"dgplab/datasets/task"
)

// The names of likelihoods must be unique, and each must be found for its tasks alone.
func TestFind(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range likelihoods {
		if seen[d.Name] || d.Formula == "" || d.Use == "" {
			t.Errorf("%s: repeated or not described", d.Name)
		}
		seen[d.Name] = true
		for _, of := range d.Tasks {
			if got, err := Find(d.Name, of); err != nil || got.Name != d.Name {
				t.Errorf("%s for %v: %s, %v", d.Name, of, got.Name, err)
			}
		}
	}
	for of, usual := range map[task.Task]string{task.Regression: "gaussian", task.Binary: "probit",
		task.Multiclass: "argmax"} {
		if got, err := Find(Auto, of); err != nil || got.Name != usual {
			t.Errorf("%v: %s, %v", of, got.Name, err)
		}
	}
	_, err := Find("softmax", task.Binary)
	if err == nil || !strings.Contains(err.Error(), "probit, logit, which apply to two classes") {
		t.Errorf("%v", err)
	}
}
