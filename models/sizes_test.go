package models_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// others returns values of a hyperparameter other than its default.
func others(h family.Hyperparameter) (list []string) {
	switch h.Kind {
	case family.Int:
		n, err := strconv.Atoi(h.Default)
		if err == nil && float64(n+1) <= h.Max {
			list = append(list, strconv.Itoa(n+1))
		}
	case family.Bool:
		list = append(list, map[string]string{"on": "off", "off": "on"}[h.Default])
	case family.Choice, family.Expression:
		for _, choice := range h.Choices {
			if choice != h.Default {
				list = append(list, choice)
			}
		}
	case family.IntList:
		list = append(list, "7")
	}
	return list
}

// TestSizes compares the numbers of parameters, the operations and the memory of all families with
// recorded ones: for data of several sizes, and for each change of one hyperparameter that affects
// them.
func TestSizes(t *testing.T) {
	var text strings.Builder
	for _, spec := range models.Families() {
		size := func(n, d, p int, set map[string]string) string {
			s, err := spec.Size(familytest.Values(t, spec, set), n, d, p)
			if err != nil {
				return err.Error()
			}
			return fmt.Sprintf("variational %d parameters %d blocks %d flops %.12g in %v elementwise %.12g "+
				"cycle %d memory %.12g", s.Variational, s.Parameters, s.Blocks, s.StepFLOPs, s.Shape,
				s.Elementwise, s.Cycle, s.Memory)
		}
		small := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "3", "inducing": "16"})
		fmt.Fprintf(&text, "%s\n", spec.Name)
		for _, data := range [][3]int{{100000, 1, 1}, {1000, 8, 2}, {60, 3, 3}} {
			fmt.Fprintf(&text, "  %v: %s\n", data, size(data[0], data[1], data[2], small))
		}
		n := 1000
		if spec.Name == "dgp-ess" {
			n = 60 // It rejects many points.
		}
		seen := map[string]bool{size(n, 8, 2, small): true}
		for _, h := range spec.Hyperparameters {
			for _, value := range others(h) {
				set := maps.Clone(small)
				set[h.Name] = value
				s := size(n, 8, 2, set)
				if !seen[s] {
					seen[s] = true
					fmt.Fprintf(&text, "  %s=%s: %s\n", h.Name, value, s)
				}
			}
		}
	}
	golden.Check(t, "sizes", text.String())
}
