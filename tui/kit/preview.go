package kit

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Preview is what is known of something that a person is typing. It is found out in the
// background once nothing has changed for a moment; answers about what was there before
// are dropped.
type Preview[T any] struct {
	// Known is nil as long as nothing is known, and where Err says why.
	Known *T
	Err   error
	// Under says that it is being found out: Known is of before the last change.
	Under bool
	// Gen counts the changes.
	Gen    int
	cancel context.CancelFunc // of what is under way
}

// PreviewDueMsg ends the wait after the last change.
type PreviewDueMsg[T any] struct{ Gen int }

// PreviewedMsg brings what was found out after so many changes.
type PreviewedMsg[T any] struct {
	Gen   int
	Known T
	Err   error
}

// previewDelay is how long nothing must have changed.
const previewDelay = 200 * time.Millisecond

// Drop drops the answer that is under way.
func (p *Preview[T]) Drop() {
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
	p.Gen++
}

// Soon says that something has changed, and asks anew when nothing has for a moment.
func (p *Preview[T]) Soon() tea.Cmd {
	p.Drop()
	p.Under, p.Err = true, nil
	gen := p.Gen
	return tea.Tick(previewDelay, func(time.Time) tea.Msg { return PreviewDueMsg[T]{gen} })
}

// Update takes the messages of the preview. ask returns how to find out about what is
// typed now, or why that cannot be; ctx ends with the program.
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
			p.Under, p.Known, p.Err = false, nil, err
			return nil
		}
		ctx, p.cancel = context.WithCancel(ctx)
		return func() tea.Msg {
			known, err := find(ctx)
			return PreviewedMsg[T]{msg.Gen, known, err}
		}
	case PreviewedMsg[T]:
		if msg.Gen == p.Gen {
			p.Under, p.Known, p.Err = false, &msg.Known, msg.Err
			if msg.Err != nil {
				p.Known = nil
			}
		}
	}
	return nil
}
