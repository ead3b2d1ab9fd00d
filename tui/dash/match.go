package dash

import (
	"fmt"
	"math"
	"slices"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// match is the direct comparison of the methods of two runs.
type match struct {
	a, b comparedRun
	compare.Comparison
	// why is the reason why the methods cannot be compared, or "" if they can. elsewhere is set if they use
	// different data or splits.
	why       string
	elsewhere bool
	// splits holds the splits of the compared runs. points is the number of compared test points, and of is
	// their number before thinning.
	splits     []string
	points, of int
	// pairs holds the compared runs of A and B.
	pairs [][2]comparedRun
	// live is set if a compared run is still training. left gives the reasons for pairs that were left out.
	live bool
	left string
}

// matches compares the method of the selected run with every other method.
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
		// Runs of one method are compared individually.
		for i, r := range runs {
			if i != a {
				list = append(list, newMatch(runs[a:a+1], []comparedRun{r}, evaluate))
			}
		}
		return holm(list)
	}
	// The selected run represents its method.
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

// matchesOfSome returns the matches of the selected run. If it has no other run on its data, the
// first run with one replaces it, and not explains the replacement.
func matchesOfSome(runs []comparedRun, evaluate string) (list []match, not string) {
	list = matches(runs, evaluate)
	alone := func(list []match) bool {
		return !slices.ContainsFunc(list, func(m match) bool { return !m.elsewhere })
	}
	at := chosenIndex(runs)
	if at < 0 || !alone(list) || runs[at].Snapshot == nil {
		return list, ""
	}
	for i := range runs {
		others := slices.Clone(runs)
		others[at].Chosen, others[i].Chosen = false, true
		if other := matches(others, evaluate); !alone(other) {
			return other, fmt.Sprintf("%s has no other run on %s %s: comparing %s instead",
				runs[at].Label, dataName(runs[at]), runs[at].Snapshot.Split, runs[i].Label)
		}
	}
	return list, ""
}

// comparison caches the comparisons of the runs on the screen together with everything that they depend on.
type comparison struct {
	key matchKey
	// list and not are the results of matchesOfSome.
	list []match
	not  string
	// sameData is set if all runs use the same data and split.
	sameData bool
	// baseline is the snapshot of a run of the baseline on the data of the selected run, or nil.
	baseline *session.Snapshot
	scores   repeatedScores
}

// matchKey holds everything that matches depend on.
type matchKey struct {
	runs [kit.MostWatched]struct {
		predictedPart
		test         *rundir.Metrics
		index        int
		label, split string
	}
	evaluate string
}

// comparison returns the comparisons of the runs on the screen. It computes them again only if they may have
// changed.
func (s scene) comparison() *comparison {
	key := matchKey{evaluate: s.evaluateKey()}
	for i, r := range s.runs {
		k := &key.runs[i]
		k.index, k.label = r.index, s.label(r)
		k.chosen = i == s.chosen
		if r.snap != nil {
			k.predictedPart = predictionsOf(s, r).(predictedPart)
			k.test, k.split = r.snap.Test, r.snap.Split
		}
	}
	if s.compared == nil || s.compared.key != key {
		runs := s.comparedRuns()
		c := &comparison{key: key, sameData: sameData(runs), baseline: baselineOf(runs),
			scores: findScores(runs)}
		c.list, c.not = matchesOfSome(runs, key.evaluate)
		s.compared = c
	}
	return s.compared
}

// matches returns the matches of the selected run; see matchesOfSome.
func (s scene) matches() (list []match, not string) {
	c := s.comparison()
	return c.list, c.not
}

// methods groups runs that differ only in data, split and seed, in the order of their first runs. A
// run without a snapshot is a separate group.
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

// newMatch compares two methods using all pairs of their runs on the same test set.
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
		m.pairs = append(m.pairs, p)
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

// holm applies Holm's correction to the verdicts of comparisons that are shown together.
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

// pairRuns pairs the runs of two methods on the same data and split, by seed, or in their order if
// no seeds agree.
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

// noCommonTest returns the reason why two runs have no common test set.
func noCommonTest(a, b comparedRun) string {
	for _, r := range []comparedRun{a, b} {
		if r.Snapshot == nil {
			return r.Label + " has not started yet"
		}
	}
	where := func(r comparedRun) string {
		return fmt.Sprintf("%s on %s %s", r.Label, dataName(r), r.Snapshot.Split)
	}
	return "not the same test set: " + where(a) + ", " + where(b)
}

// notReady returns the reason why a run has no predictions, and how to get them. It returns "" if the run has
// predictions.
func notReady(r comparedRun, evaluate string) string {
	s := r.Snapshot
	switch {
	case r.predictions() != nil:
		return ""
	case s == nil:
		return r.Label + " has not started yet"
	case s.Test != nil:
		return r.Label + " has no readable predictions; run it again"
	case !r.running():
		return r.Label + " ended without an evaluation on its test set"
	case evaluate != "" && r.Chosen:
		return r.Label + " is not evaluated yet: " + evaluate +
			" evaluates it now; otherwise this happens when it ends"
	case evaluate != "":
		return r.Label + " is not evaluated yet: select it and press " + evaluate +
			"; otherwise this happens when it ends"
	}
	return r.Label + " is not evaluated yet; this happens when it ends"
}

// shareError returns the standard error of the share over splits or seeds. For a single pair it is over
// points, sqrt(p(1-p)/(n-1)), which is exact without ties and too large with ties. It is NaN if one run is
// better at every point, because the formula gives 0 and would suggest certainty.
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
