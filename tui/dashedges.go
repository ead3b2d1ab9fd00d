package tui

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"dgplab/session"
)

// header draws what runs, where it stands and how fast, in h lines of w cells.
func (d *dash) header(w, h int) []string {
	th := d.theme
	glyph, word, tone := th.glyphs.stateSign(d.snap)
	state := th.tone(tone).Render(glyph + " " + word)
	if h <= 0 {
		return nil
	}
	if h == 1 || w < 40 {
		return th.box(d.terse(state, w, h), w, h)
	}
	lines := []string{th.sides(d.what(w), state, w-2)}
	if d.snap == nil {
		lines = append(lines, th.dim.Render("preparing the data and the model"))
	} else if d.snap.State == session.Ended {
		lines = append(lines, d.outcome(w-2, h-1)...)
	} else {
		lines = append(lines, d.progress(w-2), d.facts(w-2))
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return th.box(lines, w, h)
}

// what names the run.
func (d *dash) what(w int) string {
	th := d.theme
	sep := th.dim.Render(" " + th.glyphs.dot + " ")
	name := d.config.Dataset
	if strings.ContainsRune(name, filepath.Separator) {
		name = filepath.Base(name)
	}
	split := d.config.Split
	if d.snap != nil && d.snap.Config.Split != "" {
		split = d.snap.Config.Split
	}
	dim := func(s string) string {
		if s == "" {
			return ""
		}
		return th.dim.Render(s)
	}
	run := th.title.Render(name) + sep + th.title.Render(d.config.Family)
	if w < 64 {
		return run
	}
	return th.dim.Render("dgplab") + "  " + joinFitting(w-36, sep, run, dim(split), dim(fmt.Sprintf("seed %d", d.config.Seed)), dim(d.run.ID()))
}

// terse says as much about the state as fits in h lines of w cells.
func (d *dash) terse(state string, w, h int) []string {
	s, th := d.snap, d.theme
	if s == nil {
		return []string{state}
	}
	percent := fmt.Sprintf("%3.0f%%", 100*share(s))
	objective := "ELBO " + number(s.Last.Objective)
	best := ""
	if s.BestStep > 0 {
		best = "val " + number(s.BestVal)
	}
	parts := []string{state, th.text.Render(percent), th.text.Render(objective), th.dim.Render(best), th.dim.Render(number(s.StepsPerSecond) + "/s")}
	if s.State == session.Ended {
		parts = []string{state, th.text.Render("step " + grouped(s.Step)), th.text.Render(d.scoreLine(w))}
		if s.Err != nil {
			parts = []string{state, th.bad.Render(s.Err.Error())}
		}
	}
	if w < 24 && h > 1 {
		return parts
	}
	return []string{joinFitting(w, " ", parts...)}
}

// share returns how much of the run is done, from 0 to 1.
func share(s *session.Snapshot) float64 {
	if s.Steps <= 0 {
		return 0
	}
	return math.Min(float64(s.Step)/float64(s.Steps), 1)
}

// progress draws the bar, the steps, the speed and the time left. Numbers are as
// wide as they will become, so that nothing moves.
func (d *dash) progress(w int) string {
	s, th := d.snap, d.theme
	total := grouped(s.Steps)
	steps := padded(grouped(s.Step), len(total)) + " / " + total
	speed := padded(number(s.StepsPerSecond), 6) + " steps/s"
	left := padded("-", 7)
	if s.Remaining > 0 {
		left = padded(duration(s.Remaining), 7)
	}
	text := joinFitting(w-min(w/3, 28), "  ", th.text.Render(steps), th.dim.Render(speed), th.dim.Render("ETA "+left), th.dim.Render("after "+padded(seconds(s.Seconds), 7)))
	room := w - cells(text) - 2
	return th.drawProgress(share(s), min(max(room, 4), 48)) + "  " + text
}

// facts says what the run is made of and what is best so far.
func (d *dash) facts(w int) string {
	s, th := d.snap, d.theme
	sep := th.dim.Render(" " + th.glyphs.dot + " ")
	var parts []string
	if len(s.Warnings) > 0 {
		text := "! " + s.Warnings[0]
		if more := len(s.Warnings) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		parts = append(parts, th.warn.Render(text))
	}
	if s.BestStep > 0 {
		parts = append(parts, th.good.Render("best validation "+number(s.BestVal)+" at step "+grouped(s.BestStep)))
	}
	if s.N > 0 {
		parts = append(parts, th.dim.Render(fmt.Sprintf("N %s training + %s validation + %s test",
			grouped(s.N), grouped(s.NumValidation), grouped(s.NumTest))),
			th.dim.Render(fmt.Sprintf("D %d", s.D)))
	}
	if s.Variational > 0 {
		parts = append(parts, th.dim.Render(grouped(s.Variational)+" variational parameters"))
	}
	return joinFitting(w, sep, parts...)
}

// outcome says why the run ended and how it did on the test part, in h lines.
func (d *dash) outcome(w, h int) []string {
	reason := d.theme.tone(stopTone(d.snap)).Render
	rows := wrap(stopReason(d.snap), w)
	score := d.scoreLine(w)
	if score == "" || h < 2 && d.snap.Err != nil {
		lines := make([]string, len(rows))
		for i, row := range rows {
			lines[i] = reason(row)
		}
		return lines
	}
	if h < 2 {
		return []string{d.theme.title.Render(score)} // The footer has the reason.
	}
	return []string{reason(rows[0]), d.theme.title.Render(score)}
}

// stopReason says in words why a run ended.
func stopReason(s *session.Snapshot) string {
	kept := ""
	if s.CheckpointStep >= 0 {
		kept = "; checkpoint of step " + grouped(s.CheckpointStep) + " kept"
	}
	switch s.Stop {
	case session.StopSteps:
		return "all " + grouped(s.Steps) + " steps done in " + seconds(s.Seconds) + kept
	case session.StopEarly:
		return fmt.Sprintf("stopped early at step %s: no better validation since step %s%s", grouped(s.Step), grouped(s.BestStep), kept)
	case session.StopAsked:
		return "stopped at step " + grouped(s.Step) + ", as asked" + kept
	}
	if s.Err != nil {
		return "failed: " + s.Err.Error() + kept
	}
	return "failed" + kept
}

func stopTone(s *session.Snapshot) tone {
	switch s.Stop {
	case session.StopSteps, session.StopEarly:
		return toneGood
	case session.StopAsked:
		return toneWarn
	}
	return toneBad
}

// scoreLine writes the test metrics, as many as fit in w cells; "" before there
// are any.
func (d *dash) scoreLine(w int) string {
	m := d.snap.Test
	if m == nil {
		return ""
	}
	parts := []string{"test log-likelihood " + number(m.LogLik)}
	add := func(name string, value *float64) {
		if value != nil {
			parts = append(parts, name+" "+number(*value))
		}
	}
	add("RMSE", m.RMSE)
	add("CRPS", m.CRPS)
	add("error rate", m.ErrorRate)
	add("accuracy", m.Accuracy)
	add("log-loss", m.LogLoss)
	if len(m.Coverage) > 0 {
		text := "coverage"
		for _, level := range []string{"50", "90", "95"} {
			if c, ok := m.Coverage[level]; ok {
				text += fmt.Sprintf(" %s%%: %.1f%%", level, 100*c)
			}
		}
		parts = append(parts, text)
	}
	return joinFitting(w, "  ", append(parts, "N "+grouped(m.N))...)
}

// footer draws the numbers of the last step and the keys.
// What the header has no room for of the outcome goes on here.
func (d *dash) footer(w, h, headerRows int, footnote string) []string {
	if h <= 0 {
		return nil
	}
	last := footnote
	if last == "" {
		last = d.theme.keyLine(onDash, w-2)
	}
	lines := []string{" " + last}
	if h > 1 {
		lines = []string{" " + d.numbers(w-2), " " + last}
		if rest := d.rest(w-2, headerRows-1); rest != "" {
			lines[0] = " " + rest
		}
	}
	return d.theme.box(lines, w, h)
}

// rest returns what the given rows of the header do not say of the outcome: the
// reason where the scores took its place, the end of a long reason; "" when
// nothing is left.
func (d *dash) rest(w, rows int) string {
	if d.snap == nil || d.snap.State != session.Ended {
		return ""
	}
	style := d.theme.tone(stopTone(d.snap))
	reason := wrap(stopReason(d.snap), w)
	switch {
	case rows < 2 && d.snap.Test != nil && d.snap.Err == nil:
		return style.Render(strings.Join(reason, " "))
	case rows >= 1 && d.snap.Err != nil && len(reason) > rows:
		return style.Render(strings.Join(reason[rows:], " "))
	}
	return ""
}

// numbers lists the quantities of the last step, in columns of fixed width.
func (d *dash) numbers(w int) string {
	s, th := d.snap, d.theme
	if s == nil {
		return ""
	}
	item := func(name, value string) string {
		return th.dim.Render(name+" ") + th.text.Render(fmt.Sprintf("%-8s", value))
	}
	rescues := item("rescues", grouped(s.Rescues))
	if s.Rescues > 0 {
		rescues = th.dim.Render("rescues ") + th.warn.Render(fmt.Sprintf("%-8s", grouped(s.Rescues)+" !"))
	}
	noise := ""
	if v, ok := noiseVariance(s); ok {
		noise = item("noise", number(v))
	}
	saved := "none"
	if s.CheckpointStep >= 0 {
		saved = "step " + grouped(s.CheckpointStep)
	}
	return joinFitting(w, " ", noise, item("KL", number(s.Last.KL)), item("rate", number(s.Last.LearningRate)), rescues,
		item("ELBO", number(s.Last.Objective)), item("gradient", number(s.Last.GradientNorm)), item("checkpoint", saved))
}

// noiseVariance returns the likelihood's noise variance, in standardised units.
func noiseVariance(s *session.Snapshot) (float64, bool) {
	for _, q := range s.Hyper {
		if q.Name == "likelihood.variance" && len(q.Value) > 0 {
			return q.Value[0], true
		}
	}
	return 0, false
}
