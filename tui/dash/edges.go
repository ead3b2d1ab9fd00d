package dash

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"dgplab/session"
	"dgplab/tui/kit"
)

// header draws what runs, where it stands and how fast, in h lines of w cells.
func (d *Dash) header(w, h int) []string {
	th := d.theme
	if d.run == nil {
		return th.Box([]string{" " + th.Dim.Render("dgplab  no run yet")}, w, h)
	}
	glyph, word, tone := th.Glyphs.StateSign(d.snap)
	state := th.Tone(tone).Render(glyph + " " + word)
	if h <= 0 {
		return nil
	}
	if h == 1 || w < 40 {
		return th.Box(d.terse(state, w, h), w, h)
	}
	lines := []string{th.Sides(d.what(w), state, w-2)}
	if d.snap == nil {
		lines = append(lines, th.Dim.Render("preparing the data and the model"))
	} else if d.snap.State == session.Ended {
		lines = append(lines, d.outcome(w-2, h-1)...)
	} else {
		lines = append(lines, d.progress(w-2), d.facts(w-2))
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return th.Box(lines, w, h)
}

// what names the run.
func (d *Dash) what(w int) string {
	th := d.theme
	sep := th.Dim.Render(" " + th.Glyphs.Dot + " ")
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
		return th.Dim.Render(s)
	}
	run := th.Title.Render(name) + sep + th.Title.Render(d.config.Family)
	if w < 64 {
		return run
	}
	return th.Dim.Render("dgplab") + "  " + kit.JoinFitting(w-36, sep, run, dim(split), dim(fmt.Sprintf("seed %d", d.config.Seed)), dim(d.run.ID()))
}

// terse says as much about the state as fits in h lines of w cells.
func (d *Dash) terse(state string, w, h int) []string {
	s, th := d.snap, d.theme
	if s == nil {
		return []string{state}
	}
	percent := fmt.Sprintf("%3.0f%%", 100*share(s))
	objective := "ELBO " + kit.Number(s.Last.Objective)
	best := ""
	if s.BestStep > 0 {
		best = "val " + kit.Number(s.BestVal)
	}
	parts := []string{state, th.Text.Render(percent), th.Text.Render(objective), th.Dim.Render(best), th.Dim.Render(kit.Number(s.StepsPerSecond) + "/s")}
	if s.State == session.Ended {
		parts = []string{state, th.Text.Render("step " + kit.Grouped(s.Step)), th.Text.Render(d.scoreLine(w))}
		if s.Err != nil {
			parts = []string{state, th.Bad.Render(s.Err.Error())}
		}
	}
	if w < 24 && h > 1 {
		return parts
	}
	return []string{kit.JoinFitting(w, " ", parts...)}
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
func (d *Dash) progress(w int) string {
	s, th := d.snap, d.theme
	total := kit.Grouped(s.Steps)
	steps := kit.Padded(kit.Grouped(s.Step), len(total)) + " / " + total
	speed := kit.Padded(kit.Number(s.StepsPerSecond), 6) + " steps/s"
	left := kit.Padded("-", 7)
	if s.Remaining > 0 {
		left = kit.Padded(kit.Duration(s.Remaining), 7)
	}
	text := kit.JoinFitting(w-min(w/3, 28), "  ", th.Text.Render(steps), th.Dim.Render(speed), th.Dim.Render("ETA "+left), th.Dim.Render("after "+kit.Padded(kit.Seconds(s.Seconds), 7)))
	room := w - kit.Cells(text) - 2
	return drawProgress(th, share(s), min(max(room, 4), 48)) + "  " + text
}

// facts says what the run is made of and what is best so far.
func (d *Dash) facts(w int) string {
	s, th := d.snap, d.theme
	sep := th.Dim.Render(" " + th.Glyphs.Dot + " ")
	var parts []string
	if len(s.Warnings) > 0 {
		text := "! " + s.Warnings[0]
		if more := len(s.Warnings) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		parts = append(parts, th.Warn.Render(text))
	}
	if s.BestStep > 0 {
		parts = append(parts, th.Good.Render("best validation "+kit.Number(s.BestVal)+" at step "+kit.Grouped(s.BestStep)))
	}
	if s.N > 0 {
		parts = append(parts, th.Dim.Render(fmt.Sprintf("N %s training + %s validation + %s test",
			kit.Grouped(s.N), kit.Grouped(s.NumValidation), kit.Grouped(s.NumTest))),
			th.Dim.Render(fmt.Sprintf("D %d", s.D)))
	}
	if s.Variational > 0 {
		parts = append(parts, th.Dim.Render(kit.Grouped(s.Variational)+" variational parameters"))
	}
	return kit.JoinFitting(w, sep, parts...)
}

// outcome says why the run ended and how it did on the test part, in h lines.
func (d *Dash) outcome(w, h int) []string {
	reason := d.theme.Tone(d.stopTone()).Render
	rows := kit.Wrap(kit.StopReason(d.snap), w)
	score := d.scoreLine(w)
	if score == "" || h < 2 && d.snap.Err != nil {
		lines := make([]string, len(rows))
		for i, row := range rows {
			lines[i] = reason(row)
		}
		return lines
	}
	if h < 2 {
		return []string{d.theme.Title.Render(score)} // The footer has the reason.
	}
	return []string{reason(rows[0]), d.theme.Title.Render(score)}
}

// scoreLine writes the test metrics, as many as fit in w cells; "" before there
// are any.
func (d *Dash) scoreLine(w int) string {
	m := d.snap.Test
	if m == nil {
		return ""
	}
	parts := []string{"test log-likelihood " + kit.Number(m.LogLik)}
	add := func(name string, value *float64) {
		if value != nil {
			parts = append(parts, name+" "+kit.Number(*value))
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
	return kit.JoinFitting(w, "  ", append(parts, "N "+kit.Grouped(m.N))...)
}

// footer draws the numbers of the last step, and the last line: keys or a note.
// What the header has no room for of the outcome goes on here.
func (d *Dash) footer(w, h, headerRows int, last string) []string {
	if h <= 0 {
		return nil
	}
	lines := []string{" " + last}
	if h > 1 {
		lines = []string{" " + d.numbers(w-2), " " + last}
		if rest := d.rest(w-2, headerRows-1); rest != "" {
			lines[0] = " " + rest
		}
	}
	return d.theme.Box(lines, w, h)
}

// rest returns what the given rows of the header do not say of the outcome: the
// reason where the scores took its place, the end of a long reason; "" when
// nothing is left.
func (d *Dash) rest(w, rows int) string {
	if d.snap == nil || d.snap.State != session.Ended {
		return ""
	}
	style := d.theme.Tone(d.stopTone())
	reason := kit.Wrap(kit.StopReason(d.snap), w)
	switch {
	case rows < 2 && d.snap.Test != nil && d.snap.Err == nil:
		return style.Render(strings.Join(reason, " "))
	case rows >= 1 && d.snap.Err != nil && len(reason) > rows:
		return style.Render(strings.Join(reason[rows:], " "))
	}
	return ""
}

// numbers lists the quantities of the last step, in columns of fixed width.
func (d *Dash) numbers(w int) string {
	s, th := d.snap, d.theme
	if s == nil {
		return ""
	}
	item := func(name, value string) string {
		return th.Dim.Render(name+" ") + th.Text.Render(fmt.Sprintf("%-8s", value))
	}
	rescues := item("rescues", kit.Grouped(s.Rescues))
	if s.Rescues > 0 {
		rescues = th.Dim.Render("rescues ") + th.Warn.Render(fmt.Sprintf("%-8s", kit.Grouped(s.Rescues)+" !"))
	}
	noise := ""
	if v, ok := noiseVariance(s); ok {
		noise = item("noise", kit.Number(v))
	}
	saved := "none"
	if s.CheckpointStep >= 0 {
		saved = "step " + kit.Grouped(s.CheckpointStep)
	}
	return kit.JoinFitting(w, " ", noise, item("KL", kit.Number(s.Last.KL)), item("rate", kit.Number(s.Last.LearningRate)), rescues,
		item("ELBO", kit.Number(s.Last.Objective)), item("gradient", kit.Number(s.Last.GradientNorm)), item("checkpoint", saved))
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

// stopTone is what the end of the run means.
func (d *Dash) stopTone() kit.Tone {
	_, _, tone := d.theme.Glyphs.StopSign(d.snap.Stop)
	return tone
}
