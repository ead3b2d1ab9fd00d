package familytest

import (
	"fmt"
	"maps"
	"slices"

	"dgplab/models/family"
)

// Setting is a family under test with some of its hyperparameters.
type Setting struct {
	Family string
	Set    map[string]string
}

// NewSetting returns a setting with the given names and values of hyperparameters.
func NewSetting(name string, set ...string) Setting {
	s := Setting{name, map[string]string{}}
	for i := 0; i < len(set); i += 2 {
		s.Set[set[i]] = set[i+1]
	}
	return s
}

// String identifies the setting in the names of subtests.
func (s Setting) String() string { return fmt.Sprint(s.Family, s.Set) }

// With returns the setting with more names and values.
func (s Setting) With(set ...string) Setting {
	return Setting{s.Family, Merged(s.Set, NewSetting("", set...).Set)}
}

// Spec returns the family of the setting from list.
func (s Setting) Spec(list []family.Spec) family.Spec { return Find(list, s.Family) }

// Find returns the family in list with the given name.
func Find(list []family.Spec, name string) family.Spec {
	return list[slices.IndexFunc(list, func(spec family.Spec) bool { return spec.Name == name })]
}

// Merged returns the values of all sets; later sets take precedence.
func Merged(sets ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// Applicable returns the values of all sets that are hyperparameters of a family; later sets take
// precedence.
func Applicable(spec family.Spec, sets ...map[string]string) map[string]string {
	names := family.Names(spec.Hyperparameters)
	all := Merged(sets...)
	maps.DeleteFunc(all, func(name, _ string) bool { return !slices.Contains(names, name) })
	return all
}
