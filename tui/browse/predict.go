package browse

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// prediction is a running prediction of the rows of a file. The engine counts the rows, and the screen polls
// the count on its tick.
type prediction struct {
	id, in, out string
	cancel      context.CancelFunc
	rows        *atomic.Int64
}

// outcome is the complete result of a prediction.
type outcome struct {
	text string
	tone kit.Tone
}

// predictedMsg is the result of a prediction.
type predictedMsg struct {
	prediction *prediction
	result     *probe.Predicted
	err        error
}

// predictTickedMsg redraws the progress of a prediction.
type predictTickedMsg struct{ prediction *prediction }

// newPredictPrompt returns a prompt for the file of new rows. It contains the most recent file.
func (b *Browse) newPredictPrompt(run *rundir.Info) *prompt {
	p := &prompt{act: actPredict, title: "predict rows of", ids: []string{run.ID}}
	text := ""
	if len(b.files) > 0 {
		text = kit.ShortPath(b.files[0])
	}
	p.in, p.fresh = kit.NewInput(text), text != ""
	return p
}

// pick opens the picker at the file of the prompt.
func (b *Browse) pick() tea.Cmd {
	return b.picker.Open(b.prompt.in.Value(), b.files)
}

// picked types the picked file into the prompt.
func (b *Browse) picked(path string, cmd tea.Cmd) tea.Cmd {
	if path != "" && b.form != nil {
		b.form.Picked(path)
		b.form.edited()
	} else if path != "" && b.prompt != nil {
		b.prompt.in.SetValue(kit.ShortPath(path))
		b.prompt.in.CursorEnd()
		b.prompt.fresh = false
	}
	return cmd
}

// completed applies a completion to the path being typed.
func (b *Browse) completed(msg kit.CompletedMsg) bool {
	if b.form != nil && msg.Owner == b.form {
		return b.formCompleted(msg.Completion)
	}
	p := b.prompt
	if msg.Owner != b || p == nil || p.act != actPredict || p.in.Value() != msg.Typed {
		return false
	}
	p.in.SetValue(msg.To)
	p.in.CursorEnd()
	p.fresh = false
	p.offered = msg.Names
	return true
}

// outputPath returns the output file of a prediction. It is in the directory of the input and named after the
// input and the run, so that other predictions are not overwritten.
func outputPath(in, id string) string {
	dir, name := filepath.Split(in)
	for _, ending := range []string{".gz", ".csv", ".tsv", ".txt", ".dat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return filepath.Join(dir, name+"-predicted-"+id+".csv")
}

// predict predicts the rows of a file in the background.
func (b *Browse) predict(id, path string) tea.Cmd {
	in, err := filepath.Abs(kit.ExpandPath(path))
	if err != nil {
		return b.host.Say(kit.Bad, err.Error())
	}
	ctx, cancel := context.WithCancel(b.host.Context())
	p := &prediction{
		id:     id,
		in:     in,
		out:    outputPath(in, id),
		cancel: cancel,
		rows:   new(atomic.Int64),
	}
	b.prediction, b.files = p, kit.AddRecentFile(b.files, in)
	e := b.engine
	work := func() tea.Msg {
		defer cancel()
		msg := predictedMsg{prediction: p}
		report := func(rows int) { p.rows.Store(int64(rows)) }
		msg.err = kit.Try(func() (err error) {
			msg.result, err = e.Predict(ctx, id, in, p.out, report)
			return err
		})
		return msg
	}
	return tea.Batch(work, b.predictTick())
}

// predictTick returns the tick that redraws the progress.
func (b *Browse) predictTick() tea.Cmd {
	p := b.prediction
	return tea.Tick(b.host.Frame(), func(time.Time) tea.Msg { return predictTickedMsg{p} })
}

// finishPrediction reports the result of a prediction.
func (b *Browse) finishPrediction(msg predictedMsg) tea.Cmd {
	b.prediction = nil
	name := filepath.Base(msg.prediction.in)
	switch {
	case errors.Is(msg.err, context.Canceled):
		return b.host.Say(kit.Calm, "cancelled; no file was written")
	case msg.err != nil:
		text := "prediction failed: " + oneLine(msg.err)
		b.predicted[msg.prediction.id] = outcome{text, kit.Bad}
		return b.host.Say(kit.Bad, text)
	}
	text := report.Plural(msg.result.Rows, "row", "rows") + " of " + name
	if n := msg.result.Dropped; n > 0 {
		text += ", " + report.Grouped(n) + " skipped"
	}
	if scores := scoresOf(msg.result); scores != "" {
		text += " (" + scores + ")"
	}
	if msg.result.Noise != "" {
		text += "; " + msg.result.Noise
	}
	b.predicted[msg.prediction.id] = outcome{text + ": " + kit.ShortPath(msg.prediction.out), kit.Calm}
	return b.host.Say(kit.Good, text+" predicted: "+filepath.Base(msg.prediction.out))
}

// scoresOf returns the scores of the rows with targets, or "" if there are none.
func scoresOf(r *probe.Predicted) string {
	if r.Scores == nil {
		return ""
	}
	return report.Scores(r.Scores, "log_lik", "rmse", "error_rate")
}

// predictionLine returns the progress of the prediction.
func (b *Browse) predictionLine() string {
	th, p := b.theme, b.prediction
	text := filepath.Base(p.in) + " with " + p.id
	if n := p.rows.Load(); n > 0 {
		text += ", " + report.Plural(int(n), "row", "rows")
	}
	return " " + th.Accent.Render("predicting ") + th.Text.Render(text) + th.Dim.Render("; p: cancel")
}
