package kit

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Preview is information about text being typed, or about what the user has chosen. It is computed in the
// background, for text after a pause in typing. Results for an earlier text or choice are dropped.
type Preview[T any] struct {
	// Known is the last result. It is nil before the first result and if Err is set.
	Known *T
	Err   error
	// Running is set while a result is being computed. Known then belongs to an earlier text.
	Running bool
	// Gen is the number of changes.
	Gen    int
	cancel context.CancelFunc // cancels the computation
}

// PreviewDueMsg ends the delay after a change.
type PreviewDueMsg[T any] struct{ Gen int }

// PreviewedMsg is the result for the generation Gen.
type PreviewedMsg[T any] struct {
	Gen   int
	Known T
	Err   error
}

// previewDelay is the delay after the last change.
const previewDelay = 200 * time.Millisecond

// Cancel cancels the computation and drops its result.
func (p *Preview[T]) Cancel() {
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
	p.Gen++
}

// Schedule starts the delay after a change. The computation starts if the text does not change in the
// meantime.
func (p *Preview[T]) Schedule() tea.Cmd {
	p.Cancel()
	p.Running, p.Err = true, nil
	gen := p.Gen
	return tea.Tick(previewDelay, func(time.Time) tea.Msg { return PreviewDueMsg[T]{gen} })
}

// Start computes a result without a delay.
func (p *Preview[T]) Start(ctx context.Context, find func(context.Context) (T, error)) tea.Cmd {
	p.Cancel()
	p.Running, p.Err = true, nil
	return p.compute(ctx, find)
}

// compute computes a result in the background.
func (p *Preview[T]) compute(ctx context.Context, find func(context.Context) (T, error)) tea.Cmd {
	ctx, p.cancel = context.WithCancel(ctx)
	gen := p.Gen
	return func() tea.Msg {
		known, err := find(ctx)
		return PreviewedMsg[T]{gen, known, err}
	}
}

// Take stores a result and reports whether it belongs to the current text or choice.
func (p *Preview[T]) Take(msg PreviewedMsg[T]) bool {
	if msg.Gen != p.Gen {
		return false
	}
	p.Running, p.Known, p.Err = false, &msg.Known, msg.Err
	if msg.Err != nil {
		p.Known = nil
	}
	return true
}

// Update handles the messages of the preview. ask returns a function that computes the result for the current
// text, or the reason why it cannot be computed. ctx ends with the program.
func (p *Preview[T]) Update(
	ctx context.Context, msg tea.Msg, ask func() (find func(context.Context) (T, error), err error),
) tea.Cmd {
	switch msg := msg.(type) {
	case PreviewDueMsg[T]:
		if msg.Gen != p.Gen {
			return nil
		}
		find, err := ask()
		if err != nil {
			p.Running, p.Known, p.Err = false, nil, err
			return nil
		}
		return p.compute(ctx, find)
	case PreviewedMsg[T]:
		p.Take(msg)
	}
	return nil
}
