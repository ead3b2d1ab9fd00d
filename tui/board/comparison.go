package board

import (
	"context"
	"math"
	"slices"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// comparison holds the direct comparisons and other facts about all runs on the screen, with everything that
// they depend on. Package compare pairs, tests and leaves out the runs.
type comparison struct {
	key     matchKey
	matches []match
	// instead names the compared run if the selected run cannot be compared.
	instead string
	// missing lists the runs and the methods that are not compared, with the reasons.
	missing []string
	scores  repeatedScores
	// sameData is set if all runs use the same data and split.
	sameData bool
	// baseline is the snapshot of a run of the baseline on the data of the selected run, or nil.
	baseline *session.Snapshot
}

// match is a direct comparison with its pairs of runs. The methods are represented by a and b, which are the
// pair of the selected run or else the first pair.
type match struct {
	compare.Comparison
	pairs [][2]*Run
	a, b  *Run
}

// names returns the names of A and B. They are names of methods if each combines runs with several splits or
// seeds, and otherwise labels of runs.
func (m match) names() (a, b string) {
	if len(m.pairs) > 1 {
		return m.A, m.B
	}
	return m.a.Brief, m.b.Brief
}

// matchKey holds everything that comparisons depend on.
type matchKey struct {
	runs [kit.MostWatched]struct {
		run                *Run
		predictions        *rundir.Predictions
		test               *rundir.Metrics
		state              rundir.State
		conclusive, chosen bool
		label, split       string
	}
	evaluate string
}

// comparison returns the comparisons of the runs on the screen. It computes them again only if they may have
// changed.
func (b *Board) comparison() *comparison {
	key := matchKey{evaluate: b.Key(ActEvaluate)}
	for i, r := range b.Runs {
		k := &key.runs[i]
		k.run, k.label = r, r.Brief
		k.chosen = i == b.Chosen
		if r.Snapshot != nil {
			k.predictions, k.test, k.split = r.Snapshot.Predictions, r.Snapshot.Test, r.Snapshot.Split
			k.state, k.conclusive = r.Snapshot.State, r.Snapshot.Conclusive()
		}
	}
	if b.compared == nil || b.compared.key != key {
		b.compared = compareRuns(b, key.evaluate)
		b.compared.key = key
	}
	return b.compared
}

// HasBaseline reports whether a run of the baseline on the data of the selected run is on the board.
func (b *Board) HasBaseline() bool { return b.comparison().baseline != nil }

// compareRuns compares the method of the selected run directly with every other method, or with every other
// run if there is only one method. If this is impossible, it compares the first method for which it is
// possible. evaluate is the key that evaluates the selected run, or "".
func compareRuns(b *Board, evaluate string) *comparison {
	c := &comparison{sameData: sameData(b.Runs), baseline: baselineOf(b)}
	chosen := b.Current()
	if len(b.Runs) < 2 {
		return c
	}
	var snapshots []*session.Snapshot
	byID := map[string]*Run{}
	for _, r := range b.Runs {
		if r.Snapshot == nil {
			c.missing = append(c.missing, r.Brief+": not started")
			continue
		}
		snapshots = append(snapshots, r.Snapshot)
		byID[r.Snapshot.ID] = r
	}
	set := compare.Watch(snapshots)
	for _, l := range set.LeftOut {
		r := byID[l.ID]
		text := r.Brief + ": " + l.Why
		switch {
		case !r.running() || evaluate == "":
		case r == chosen:
			text += " (" + evaluate + " evaluates it now)"
		default:
			text += " (select it and press " + evaluate + " to evaluate it now)"
		}
		c.missing = append(c.missing, text)
	}
	c.scores = findScores(set, byID, chosen)
	if len(set.Methods) == 1 {
		set = set.Individually()
		for i, r := range set.Runs {
			set.Methods[i].Label = byID[r.ID].Brief
		}
	}
	own := -1
	if chosen.Snapshot != nil {
		own = set.MethodOf(chosen.Snapshot)
	}
	order := []int{own}
	for a := range set.Methods {
		order = append(order, a)
	}
	for i, a := range order {
		if a < 0 || i > 0 && a == own {
			continue
		}
		list, failed, _ := set.Each(context.Background(), a, nil) // It fails only if it is cancelled.
		if a == own || len(list) > 0 {
			c.missing = append(c.missing, failed...)
		}
		if len(list) == 0 {
			continue
		}
		for _, found := range list {
			m := match{Comparison: found}
			for i, p := range found.Pairs {
				pair := [2]*Run{byID[p.A], byID[p.B]}
				m.pairs = append(m.pairs, pair)
				if i == 0 || pair[0] == chosen {
					m.a, m.b = pair[0], pair[1]
				}
			}
			c.matches = append(c.matches, m)
		}
		if a != own {
			c.instead = chosen.Brief + " cannot be compared: comparing " + c.matches[0].a.Brief + " instead"
		}
		break
	}
	return c
}

// live reports whether a compared run is still training.
func (m match) live() bool {
	return slices.ContainsFunc(m.pairs, func(p [2]*Run) bool {
		return p[0].running() || p[1].running()
	})
}

// splits returns the splits of the compared runs.
func (m match) splits() (list []string) {
	for _, p := range m.Pairs {
		if !slices.Contains(list, p.Split) {
			list = append(list, p.Split)
		}
	}
	return list
}

// points returns the number of compared test points, and their number before thinning.
func (m match) points() (n, of int) {
	for _, p := range m.Pairs {
		n += p.Points
		of += p.Of
	}
	return n, of
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
