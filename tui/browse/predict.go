package browse

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/picker"
)

// prediction is one that is under way: of the rows of a file by a run. The engine counts
// the rows, the screen reads the count on its own tick.
type prediction struct {
	id, in, out string
	cancel      context.CancelFunc
	rows        *atomic.Int64
	done        chan struct{} // closed when nothing is written any more
}

// outcome is what became of a prediction, in full.
type outcome struct {
	text string
	tone kit.Tone
}

// predictedMsg says what became of a prediction.
type predictedMsg struct {
	prediction *prediction
	result     *session.Predicted
	err        error
}

// predictTickedMsg says that it is time to draw how far a prediction is.
type predictTickedMsg struct{ prediction *prediction }

// newPredictPrompt asks for the file of new rows for a run; it begins with the one that was
// predicted last.
func (b *Browse) newPredictPrompt(run *rundir.Info) *prompt {
	p := &prompt{act: actPredict, title: "predict the rows of", ids: []string{run.ID}}
	text := ""
	if len(b.files) > 0 {
		text = picker.Short(b.files[0])
	}
	p.in, p.fresh = kit.NewInput(text), text != ""
	return p
}

// pick opens the picker where the file of the prompt is.
func (b *Browse) pick() tea.Cmd {
	return b.picker.Open(b.prompt.in.Value(), b.files)
}

// picked types a file that was picked.
func (b *Browse) picked(path string, cmd tea.Cmd) tea.Cmd {
	if path != "" && b.form != nil {
		b.form.Picked(path)
		b.form.edited()
	} else if path != "" && b.prompt != nil {
		b.prompt.in.SetValue(picker.Short(path))
		b.prompt.in.CursorEnd()
		b.prompt.fresh = false
	}
	return cmd
}

// completed takes what the path that is being typed may become.
func (b *Browse) completed(msg picker.CompletedMsg) bool {
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

// beside is the file that predictions by a run are written to: beside that of the rows, and
// named after both, so that other predictions stay.
func beside(in, id string) string {
	dir, name := filepath.Split(in)
	for _, ending := range []string{".gz", ".csv", ".tsv", ".txt", ".dat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return filepath.Join(dir, name+"-predicted-"+id+".csv")
}

// predict predicts the rows of a file in the background.
func (b *Browse) predict(id, path string) tea.Cmd {
	in, err := filepath.Abs(picker.Expand(path))
	if err != nil {
		return b.host.Say(kit.Bad, err.Error())
	}
	ctx, cancel := context.WithCancel(b.host.Context())
	p := &prediction{
		id:     id,
		in:     in,
		out:    beside(in, id),
		cancel: cancel,
		rows:   new(atomic.Int64),
		done:   make(chan struct{}),
	}
	b.prediction, b.files = p, picker.Used(b.files, in)
	e := b.engine
	work := func() tea.Msg {
		defer close(p.done)
		defer cancel()
		msg := predictedMsg{prediction: p}
		report := func(rows int) { p.rows.Store(int64(rows)) }
		if panicked := kit.CatchPanic(func() {
			msg.result, msg.err = e.Predict(ctx, id, in, p.out, report)
		}); panicked != nil {
			msg.err = panicked
		}
		return msg
	}
	return tea.Batch(work, b.predictTick())
}

// predictTick keeps the count moving while there is a prediction.
func (b *Browse) predictTick() tea.Cmd {
	p := b.prediction
	return tea.Tick(b.host.Frame(), func(time.Time) tea.Msg { return predictTickedMsg{p} })
}

// wasPredicted tells what became of a prediction.
func (b *Browse) wasPredicted(msg predictedMsg) tea.Cmd {
	b.prediction = nil
	name := filepath.Base(msg.prediction.in)
	switch {
	case errors.Is(msg.err, context.Canceled):
		return b.host.Say(kit.Calm, "cancelled; nothing was written of "+name)
	case msg.err != nil:
		text := "not predicted: " + oneLine(msg.err)
		b.predicted[msg.prediction.id] = outcome{text, kit.Bad}
		return b.host.Say(kit.Bad, text)
	}
	text := kit.Plural(msg.result.Rows, "row", "rows") + " of " + name
	if n := msg.result.Dropped; n > 0 {
		text += ", " + kit.Grouped(n) + " left out"
	}
	if scores := scoresOf(msg.result); scores != "" {
		text += " (" + scores + ")"
	}
	b.predicted[msg.prediction.id] = outcome{text + ": " + picker.Short(msg.prediction.out), kit.Calm}
	return b.host.Say(kit.Good, text+" predicted: "+filepath.Base(msg.prediction.out))
}

// scoresOf returns the scores of the rows that had targets, "" if none had.
func scoresOf(r *session.Predicted) string {
	if r.Scores == nil {
		return ""
	}
	return kit.Scores(r.Scores, "log_lik", "rmse", "error_rate")
}

// predictionLine says how far the prediction is.
func (b *Browse) predictionLine() string {
	th, p := b.theme, b.prediction
	text := filepath.Base(p.in) + " by " + p.id
	if n := p.rows.Load(); n > 0 {
		text += ", " + kit.Plural(int(n), "row", "rows")
	}
	return " " + th.Accent.Render("predicting ") + th.Text.Render(text) + th.Dim.Render("; p cancels")
}

// Busy is of no run: what predicts is stopped without asking, and leaves nothing half
// written. With End and Farewell it makes a kit.Worker of the screen.
func (b *Browse) Busy() int { return 0 }

// End stops the prediction that is under way.
func (b *Browse) End() []<-chan struct{} {
	if b.prediction == nil {
		return nil
	}
	b.prediction.cancel()
	return []<-chan struct{}{b.prediction.done}
}

// Farewell says that a prediction was stopped.
func (b *Browse) Farewell() []string {
	if b.prediction == nil {
		return nil
	}
	return []string{"the rows of " + b.prediction.in + " were not predicted to the end; nothing was written"}
}
