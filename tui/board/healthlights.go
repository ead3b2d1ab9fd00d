package board

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// light is a traffic light of the health panel: a number of a run beside its limit.
type light struct {
	name, value, limit string
	// at names the matrix, layer or quantity that the value belongs to. It may be empty.
	at string
	// tone is Good within the limit, Warn beyond it, and Bad where the result cannot be trusted.
	tone kit.Tone
	// guide says what the number means and what to do about it.
	guide string
}

// The limits of lights. Beyond the first one a light is a warning, beyond the second one it is bad.
const (
	// badCondition is the condition number above which solutions keep fewer than about four of the sixteen
	// digits of a float64. At hopelessCondition less than one digit is left.
	badCondition, hopelessCondition = 1e12, 1e15
	// Jitter starts at 1e-6 of the diagonal and fails above 1e-2.
	largeJitter, hopelessJitter = 1e-4, 1e-2
	// Rescues are counted per step. The alarm about continual jitter is cleared below the first limit and
	// raised above the second one.
	fewRescues, manyRescues = 0.02, 0.1
	// A gradient norm is compared with the median of the run. Minibatches change it by a small factor.
	steepGradient = 10
	// A layer with a KL divergence below leastKL nats equals its prior.
	leastKL = 0.01
	// badRhat and badESS are the limits of chains that say nothing about the posterior.
	badRhat, badESS = 1.1, 100
)

// The ranges of the acceptance of trajectories and of Metropolis steps of single parameters, and of the
// temperature of SGHMC, which is 1 for exact gradients.
//
// Betancourt, Byrne, Girolami, "Optimizing the integrator step size for Hamiltonian Monte Carlo", 2014,
// arXiv:1411.6669; Roberts, Gelman, Gilks, "Weak convergence and optimal scaling of random walk Metropolis
// algorithms", Annals of Applied Probability 7(1), 1997.
var (
	trajectoryAcceptance = [2]float64{0.6, 0.95}
	stepAcceptance       = [2]float64{0.15, 0.7}
	normalTemperature    = [2]float64{0.8, 1.25}
)

// beyond returns the tone of a value that should not exceed a limit. A value above hopeless, or an infinite
// one, is bad.
func beyond(value, limit, hopeless float64) kit.Tone {
	switch {
	case value > hopeless || math.IsInf(value, 1):
		return kit.Bad
	case value > limit:
		return kit.Warn
	}
	return kit.Good
}

// warnUnless returns the tone Good if a value is within its limits, and Warn if it is not.
func warnUnless(within bool) kit.Tone {
	if within {
		return kit.Good
	}
	return kit.Warn
}

// lightsOf returns the lights of a run, the worst first. It returns nil for a run without diagnostics.
func lightsOf(r *Run) []light {
	if r.Snapshot == nil || r.Snapshot.Diagnostics == nil {
		return nil
	}
	var list []light
	if h := r.matrices(); h != nil {
		list = append(list, matrixLights(h.Matrices)...)
		list = append(list, rescueLight(r))
		list = append(list, divergenceLight(h)...)
	}
	list = append(list, gradientLight(r)...)
	list = append(list, chainLights(r)...)
	list = append(list, samplerLights(r)...)
	slices.SortStableFunc(list, func(a, b light) int { return int(b.tone) - int(a.tone) })
	return list
}

// matrixLights returns the lights of the worst condition, the smallest pivot and the largest jitter.
func matrixLights(matrices []view.Matrix) (list []light) {
	condition, pivot, jitter := -1, -1, -1
	for i, m := range matrices {
		if harmful(m) && m.Condition == m.Condition &&
			(condition < 0 || m.Condition > matrices[condition].Condition) {
			condition = i
		}
		if harmful(m) && m.SmallestPivot == m.SmallestPivot &&
			(pivot < 0 || m.SmallestPivot < matrices[pivot].SmallestPivot) {
			pivot = i
		}
		if m.Jitter == m.Jitter && (jitter < 0 || m.Jitter > matrices[jitter].Jitter) {
			jitter = i
		}
	}
	if condition >= 0 {
		m := matrices[condition]
		list = append(list, light{
			name: "condition", value: conditionText(m.Condition), at: m.Name,
			limit: fmt.Sprintf("at most %.0e", badCondition), guide: conditionGuide,
			tone: beyond(float64(m.Condition), badCondition, hopelessCondition),
		})
	}
	if pivot >= 0 {
		m := matrices[pivot]
		tone := kit.Good
		if m.SmallestPivot <= 0 {
			tone = kit.Bad
		}
		list = append(list, light{
			name: "least pivot", value: knownText(m.SmallestPivot), at: m.Name,
			limit: "above 0", guide: pivotGuide, tone: tone,
		})
	}
	if jitter >= 0 {
		m := matrices[jitter]
		list = append(list, light{
			name: "jitter", value: knownText(m.Jitter), at: m.Name,
			limit: fmt.Sprintf("at most %.0e", largeJitter), guide: jitterGuide,
			tone: beyond(float64(m.Jitter), largeJitter, hopelessJitter),
		})
	}
	return list
}

// rescueLight returns the light of the number of rescues since training began.
func rescueLight(r *Run) light {
	n := r.Snapshot.Rescues
	steps := max(r.Snapshot.Step, 1)
	return light{
		name: "rescues", value: report.Grouped(n),
		at:    "in " + report.Plural(steps, "step", "steps"),
		limit: fmt.Sprintf("at most 1 in %g", 1/fewRescues), guide: rescuesGuide,
		tone: beyond(float64(n)/float64(steps), fewRescues, manyRescues),
	}
}

// divergenceLight returns the light of the layer with the least divergence from its prior.
func divergenceLight(h *view.Matrices) []light {
	least := -1
	for l, kl := range h.KLByLayer {
		if kl == kl && (least < 0 || kl < h.KLByLayer[least]) {
			least = l
		}
	}
	if least < 0 {
		return nil
	}
	at := fmt.Sprintf("layer %d", least+1)
	if len(h.Parts) == len(h.KLByLayer) {
		at = h.Parts[least]
	}
	kl := float64(h.KLByLayer[least])
	return []light{{
		name: "least KL", value: report.Number(kl), at: at,
		limit: "at least " + report.Number(leastKL), guide: divergenceGuide, tone: warnUnless(kl >= leastKL),
	}}
}

// gradientLight returns the light of the gradient norm, which is compared with the norms during training. It
// returns nil for a family that does not report it.
func gradientLight(r *Run) []light {
	norms, last := gradientNorms(r)
	if len(norms) == 0 {
		return nil
	}
	slices.Sort(norms)
	limit := steepGradient * norms[len(norms)/2]
	tone := warnUnless(last <= limit)
	if math.IsNaN(last) || math.IsInf(last, 0) {
		tone = kit.Bad
	}
	return []light{{
		name: "gradient norm", value: report.Number(last), at: fmt.Sprintf("%d x the median", steepGradient),
		limit: "at most " + report.Number(limit), guide: gradientGuide, tone: tone,
	}}
}

// chainLights returns the lights of the mixing of chains.
func chainLights(r *Run) []light {
	c := r.Snapshot.Diagnostics.Chains
	if c == nil {
		return nil
	}
	s := c.Summary()
	if s.Tested == 0 {
		return nil
	}
	limit := fmt.Sprintf("at least %d", view.MinESS)
	size := func(name string, draws rundir.Number) light {
		return light{
			name: name, value: sizeText(draws), limit: limit, guide: drawsGuide,
			at:   fmt.Sprintf("of %s", report.Plural(s.Chains*s.Draws, "draw", "draws")),
			tone: beyond(-float64(draws), -view.MinESS, -badESS),
		}
	}
	return []light{
		{
			name: "R-hat", value: rhatText(s.Rhat), at: s.Worst,
			limit: "at most " + report.Number(view.MaxRhat), guide: rhatGuide,
			tone: beyond(float64(s.Rhat), view.MaxRhat, badRhat),
		},
		size("effective draws", s.ESSBulk),
		size("in the tails", s.ESSTail),
	}
}

// samplerLights returns the lights of the readings of a method that have known limits.
func samplerLights(r *Run) (list []light) {
	add := func(key, name, guide, limit string, within func(v float64) bool) {
		if v := lastGauge(r.Snapshot, key); v == v {
			list = append(list, light{name: name, value: report.Number(v), limit: limit, guide: guide,
				tone: warnUnless(within(v))})
		}
	}
	inside := func(limits [2]float64) func(float64) bool {
		return func(v float64) bool { return v >= limits[0] && v <= limits[1] }
	}
	of := func(limits [2]float64) string {
		return report.Number(limits[0]) + " to " + report.Number(limits[1])
	}
	for _, g := range r.Snapshot.ObjectiveIs.Gauges {
		switch g.Key {
		case acceptanceGauge:
			limits := stepAcceptance
			if hasGauge(r, divergencesGauge) {
				limits = trajectoryAcceptance
			}
			add(g.Key, g.Name, acceptanceGuide, of(limits), inside(limits))
		case divergencesGauge:
			add(g.Key, g.Name, trajectoriesGuide, "none", func(v float64) bool { return v == 0 })
		case temperatureGauge:
			add(g.Key, g.Name, temperatureGuide, of(normalTemperature), inside(normalTemperature))
		case unchangedGauge:
			add(g.Key, g.Name, unchangedGuide, "none", func(v float64) bool { return v == 0 })
		}
	}
	return list
}

// The keys of readings that have a light (family.Objective.Gauges).
const (
	acceptanceGauge  = "acceptance"
	divergencesGauge = "divergences"
	temperatureGauge = "temperature"
	unchangedGauge   = "stayed"
)

// lightGauges holds the keys of all readings that have a light.
var lightGauges = []string{acceptanceGauge, divergencesGauge, temperatureGauge, unchangedGauge,
	family.GradientNorm.Key}

// hasGauge reports whether the method of a run reports a reading.
func hasGauge(r *Run, key string) bool {
	return slices.ContainsFunc(r.Snapshot.ObjectiveIs.Gauges,
		func(g family.Reading) bool { return g.Key == key })
}

// healthVerdict returns the sentence on the health of a run and its tone.
func healthVerdict(lights []light, alarms int) (text string, tone kit.Tone) {
	var names []string
	for _, l := range lights {
		if l.tone != kit.Good {
			names = append(names, l.name)
			tone = max(tone, l.tone)
		}
	}
	var parts []string
	if alarms > 0 {
		tone = kit.Bad
		parts = append(parts, report.Plural(alarms, "alarm", "alarms"))
	}
	if len(names) > 0 {
		parts = append(parts, fmt.Sprintf("%s (%d of %s)",
			strings.Join(names, ", "), len(names), report.Plural(len(lights), "light", "lights")))
	}
	if len(parts) > 0 {
		return "needs attention: " + strings.Join(parts, "; "), tone
	}
	return "is healthy: " + report.Plural(len(lights), "light", "lights") + " within the limits", kit.Good
}

// lightSign returns the sign of a tone.
func lightSign(th *kit.Theme, tone kit.Tone) string {
	switch tone {
	case kit.Good:
		return th.Glyphs.Check
	case kit.Warn:
		return "!"
	}
	return th.Glyphs.Cross
}

// verdictLines returns the verdict on a run.
func verdictLines(th *kit.Theme, r *Run, w int) []string {
	lights := lightsOf(r)
	alarms := 0
	if r.Snapshot != nil {
		alarms = len(r.Snapshot.Alarms)
	}
	name := runName(th, r, max(w/3, 8))
	if len(lights) == 0 && alarms == 0 {
		return []string{name + "  " + th.Dim.Render(noHealth(r))}
	}
	text, tone := healthVerdict(lights, alarms)
	look := th.Tone(tone)
	head := look.Bold(true).Render(lightSign(th, tone)) + " " + name + " "
	rows := kit.Paragraph(look, text, max(w-kit.Cells(head), w/2, 1))
	lines := []string{head + rows[0]}
	for _, row := range rows[1:] {
		lines = append(lines, "  "+row)
	}
	return lines
}

// lightTable draws the lights of a run. selected is the index of the light with the mark, or -1 for none.
func lightTable(th *kit.Theme, lights []light, selected, w int) []string {
	if len(lights) == 0 {
		return nil
	}
	columns := []tables.Column{{Keep: true}, {Title: "light", Least: 17, Keep: true},
		{Title: "value", Right: true, Keep: true}, {Title: "limit", Drop: 1},
		{Least: 10, Drop: 2}}
	var rows [][]string
	for _, l := range lights {
		rows = append(rows, []string{lightSign(th, l.tone), l.name, l.value, l.limit, cleanText(th, l.at)})
	}
	const mark = 2
	layout := tables.Fit(columns, tables.Natural(columns, rows), w-mark)
	head := layout.Row(func(i, w int) string { return th.Cell(columns[i].Title, w, columns[i].Right) })
	lines := []string{th.Fit(strings.Repeat(" ", mark)+th.Dim.Render(head), w)}
	for k, l := range lights {
		sign := strings.Repeat(" ", mark)
		name := th.Text
		if k == selected {
			sign, name = th.Selected.Render(th.Glyphs.Focus)+" ", th.Selected
		}
		tone := th.Tone(l.tone)
		looks := []lipgloss.Style{tone.Bold(true), name, tone, th.Dim, th.Dim}
		row := layout.Row(func(i, w int) string {
			return looks[i].Render(th.Cell(rows[k][i], w, columns[i].Right))
		})
		lines = append(lines, th.Fit(sign+row, w))
	}
	return lines
}
