package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dgplab/session/slurm"
)

// slurmTexts, slurmNumbers and slurmLists are the entries of a profile by their names.
var (
	slurmTexts = map[string]func(o *slurm.Options) *string{
		"time":       func(o *slurm.Options) *string { return &o.Time },
		"mem":        func(o *slurm.Options) *string { return &o.Mem },
		"partition":  func(o *slurm.Options) *string { return &o.Partition },
		"account":    func(o *slurm.Options) *string { return &o.Account },
		"qos":        func(o *slurm.Options) *string { return &o.QOS },
		"constraint": func(o *slurm.Options) *string { return &o.Constraint },
	}
	slurmNumbers = map[string]func(o *slurm.Options) *int{
		"cpus":     func(o *slurm.Options) *int { return &o.CPUs },
		"parallel": func(o *slurm.Options) *int { return &o.Parallel },
		"pack":     func(o *slurm.Options) *int { return &o.Pack },
	}
	slurmLists = map[string]func(o *slurm.Options) *[]string{
		"setup":  func(o *slurm.Options) *[]string { return &o.Setup },
		"sbatch": func(o *slurm.Options) *[]string { return &o.Sbatch },
	}
)

// slurmEntries returns the names of the entries of a profile, sorted.
func slurmEntries() []string {
	names := slices.Collect(maps.Keys(slurmTexts))
	names = slices.AppendSeq(names, maps.Keys(slurmNumbers))
	names = slices.AppendSeq(names, maps.Keys(slurmLists))
	slices.Sort(names)
	return names
}

// readSlurm parses the tables of profiles.
func (s *Settings) readSlurm(file string, value any) []*Problem {
	profiles, ok := value.(map[string]any)
	if !ok {
		return []*Problem{{file, "slurm", "not a table; write [slurm.NAME]"}}
	}
	var problems []*Problem
	for _, name := range slices.Sorted(maps.Keys(profiles)) {
		where := "slurm." + name
		entries, ok := profiles[name].(map[string]any)
		if !ok {
			problems = append(problems, &Problem{file, where, "not a table; write [slurm.NAME]"})
			continue
		}
		var o slurm.Options
		for _, entry := range slices.Sorted(maps.Keys(entries)) {
			if want := setSlurm(&o, entry, entries[entry]); want != "" {
				problems = append(problems, &Problem{file, where + "." + entry, want})
			}
		}
		if err := o.Check(); err != nil {
			problems = append(problems, &Problem{file, where, err.Error()})
			continue
		}
		if s.Slurm == nil {
			s.Slurm = map[string]slurm.Options{}
		}
		s.Slurm[name] = o
	}
	return problems
}

// setSlurm sets an entry of a profile. For an invalid value it returns a description of the error.
func setSlurm(o *slurm.Options, name string, value any) (wrong string) {
	if of, ok := slurmTexts[name]; ok {
		switch value.(type) {
		case string, int64:
			*of(o) = fmt.Sprint(value)
			return ""
		}
		return fmt.Sprint(value) + " is not text"
	}
	if of, ok := slurmNumbers[name]; ok {
		n, isNumber := value.(int64)
		if !isNumber || n != int64(int32(n)) {
			return fmt.Sprint(value) + " is not a whole number"
		}
		*of(o) = int(n)
		return ""
	}
	if of, ok := slurmLists[name]; ok {
		list, isList := keyList(value)
		if !isList {
			return fmt.Sprint(value) + " is not a list of texts"
		}
		*of(o) = list
		return ""
	}
	return "unknown entry; known entries: " + strings.Join(slurmEntries(), ", ")
}
