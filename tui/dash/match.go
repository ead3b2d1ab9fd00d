package dash

import (
	"fmt"
	"math"
	"slices"

	"dgplab/session"
	"dgplab/session/compare"
)

// match is the direct comparison of the methods of two runs.
type match struct {
	a, b comparedRun
	compare.Comparison
	// why says what keeps them from being compared, "" if nothing; elsewhere that it is data
	// or splits.
	why       string
	elsewhere bool
	// splits names those of the runs that take part; points counts their test points,
	// of so many: more where predictions were thinned.
	splits     []string
	points, of int
	// live says that a run takes part that goes on; left is the why of pairs of runs
	// that had to be left out.
	live bool
	left string
}

// matches compares the chosen run's method with each other one.
func matches(runs []comparedRun, evaluate string) []match {
	if len(runs) < 2 {
		return nil
	}
	groups := methods(runs)
	a := chosenIndex(runs)
	home := slices.IndexFunc(groups, func(g []comparedRun) bool {
		return slices.ContainsFunc(g, func(r comparedRun) bool { return r == runs[a] })
	})
	var list []match
	if len(groups) == 1 {
		// Repetitions of one method are compared as they are.
		for i, r := range runs {
			if i != a {
				list = append(list, newMatch(runs[a:a+1], []comparedRun{r}, evaluate))
			}
		}
		return holm(list)
	}
	// The chosen run speaks for its method.
	own := slices.Clone(groups[home])
	at := slices.Index(own, runs[a])
	own[0], own[at] = own[at], own[0]
	for i, g := range groups {
		if i != home {
			list = append(list, newMatch(own, g, evaluate))
		}
	}
	return holm(list)
}

// matchesOfSome is matches of the chosen run or, where that has no run on its data and others
// have, of the first of those: not is then why, else "".
func matchesOfSome(runs []comparedRun, evaluate string) (list []match, not string) {
	list = matches(runs, evaluate)
	alone := func(list []match) bool {
		return !slices.ContainsFunc(list, func(m match) bool { return !m.elsewhere })
	}
	at := chosenIndex(runs)
	if !alone(list) || runs[at].Snapshot == nil {
		return list, ""
	}
	for i := range runs {
		others := slices.Clone(runs)
		others[at].Chosen, others[i].Chosen = false, true
		if other := matches(others, evaluate); !alone(other) {
			return other, fmt.Sprintf("%s has no other run on %s %s: it is %s that is compared",
				runs[at].Label, dataName(runs[at]), runs[at].Snapshot.Split, runs[i].Label)
		}
	}
	return list, ""
}

// methods puts runs together that differ in data, split and seed alone, in the order
// of their first runs. A run that has not begun is on its own.
func methods(runs []comparedRun) (groups [][]comparedRun) {
	ofMethod := func(field string) bool { return !isData(field) && field != "seed" }
	for _, r := range runs {
		at := slices.IndexFunc(groups, func(g []comparedRun) bool {
			return r.Snapshot != nil && g[0].Snapshot != nil && sameFields(g[0], r, ofMethod)
		})
		if at < 0 {
			groups = append(groups, []comparedRun{r})
		} else {
			groups[at] = append(groups[at], r)
		}
	}
	return groups
}

// newMatch compares two methods by all pairs of their runs on the same test part.
func newMatch(a, b []comparedRun, evaluate string) match {
	m := match{a: a[0], b: b[0]}
	pairs := pairRuns(a, b)
	if len(pairs) == 0 {
		m.why, m.elsewhere = noCommonTest(a[0], b[0]), true
		return m
	}
	var compared []compare.Pair
	for _, p := range pairs {
		for _, r := range p {
			if why := notReady(r, evaluate); why != "" && m.why == "" {
				m.why = why
			}
			m.live = m.live || r.running()
		}
		x := p[0].predictions()
		y := p[1].predictions()
		if x == nil || y == nil {
			continue
		}
		d, err := compare.Against(x, y)
		if err != nil {
			m.why = fmt.Sprintf("%s and %s: %v", p[0].Label, p[1].Label, err)
			continue
		}
		d.A, d.B, d.Split = p[0].Snapshot.ID, p[1].Snapshot.ID, p[0].Snapshot.Split
		d.Ratio = p[0].ratio()
		m.points, m.of = m.points+d.Points, m.of+d.Of
		compared = append(compared, d)
		if !slices.Contains(m.splits, d.Split) {
			m.splits = append(m.splits, d.Split)
		}
	}
	if len(compared) > 0 {
		m.left, m.why = m.why, ""
	}
	m.Comparison = compare.Direct(compared)
	m.Withhold(slices.ContainsFunc(a, comparedRun.inconclusive),
		slices.ContainsFunc(b, comparedRun.inconclusive))
	return m
}

// together holds the verdicts of comparisons that stand beside one another to Holm's
// level.
func holm(list []match) []match {
	var compared []*compare.Comparison
	for i := range list {
		if list[i].why == "" {
			compared = append(compared, &list[i].Comparison)
		}
	}
	compare.Together(compared)
	return list
}

// pair returns the runs of two methods on the same data and split, by seed; where
// no seed is the same, in the order that they come in.
func pairRuns(a, b []comparedRun) (list [][2]comparedRun) {
	same := func(fields ...string) func(r, q comparedRun) bool {
		return func(r, q comparedRun) bool {
			return sameFields(r, q, func(field string) bool {
				return isData(field) || slices.Contains(fields, field)
			})
		}
	}
	taken := map[*session.Snapshot]bool{}
	for _, fits := range []func(r, q comparedRun) bool{same("seed"), same()} {
		for _, r := range a {
			for _, q := range b {
				if r.Snapshot == nil || q.Snapshot == nil || taken[r.Snapshot] ||
					taken[q.Snapshot] || !fits(r, q) {
					continue
				}
				taken[r.Snapshot], taken[q.Snapshot] = true, true
				list = append(list, [2]comparedRun{r, q})
			}
		}
	}
	return list
}

// apart says why two runs have no test part in common.
func noCommonTest(a, b comparedRun) string {
	for _, r := range []comparedRun{a, b} {
		if r.Snapshot == nil {
			return r.Label + " has not begun yet"
		}
	}
	where := func(r comparedRun) string {
		return fmt.Sprintf("%s on %s %s", r.Label, dataName(r), r.Snapshot.Split)
	}
	return "not the same test part: " + where(a) + ", " + where(b)
}

// unready says why a run has no predictions, and what to do; "" if it has.
func notReady(r comparedRun, evaluate string) string {
	s := r.Snapshot
	switch {
	case r.predictions() != nil:
		return ""
	case s == nil:
		return r.Label + " has not begun yet"
	case s.Test != nil:
		return r.Label + " was evaluated by a version that kept no predictions: run it again"
	case !r.running():
		return r.Label + " ended without an evaluation on its test part"
	case evaluate != "" && r.Chosen:
		return r.Label + " is not evaluated yet: " + evaluate + " evaluates it now, and its end does"
	case evaluate != "":
		return r.Label + " is not evaluated yet: choose it and " + evaluate +
			" evaluates it now, and its end does"
	}
	return r.Label + " is not evaluated yet: it will be when it ends"
}

// shareError returns the standard error of the share, over splits or seeds, or, of
// one pair, over its points: sqrt(p(1-p)/(n-1)), which is the sample's own where no
// point is a draw, and more where some are. It is NaN where one run wins every point:
// the 0 of that formula would claim a certainty that nobody has.
func (m match) shareError() float64 {
	switch {
	case !m.Single:
		return float64(m.ShareSE)
	case m.Share == 0 || m.Share == 1:
		return math.NaN()
	}
	p := float64(m.Share)
	return math.Sqrt(p * (1 - p) / float64(m.N-1))
}
