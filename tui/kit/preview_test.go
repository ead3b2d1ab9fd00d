package kit

import (
	"context"
	"errors"
	"testing"
)

// A preview shows the result for the last text. Results for an earlier text are dropped, and their
// computation is cancelled.
func TestPreview(t *testing.T) {
	ctx := context.Background()
	failed := errors.New("no such file")
	var p Preview[string]
	var asked context.Context
	ask := func(text string, err error) func() (func(context.Context) (string, error), error) {
		return func() (func(context.Context) (string, error), error) {
			return func(ctx context.Context) (string, error) { asked = ctx; return text, err }, nil
		}
	}
	p.Schedule()
	first := PreviewDueMsg[string]{p.Gen}
	p.Schedule()
	if p.Update(ctx, first, ask("a", nil)) != nil {
		t.Error("an earlier text is computed")
	}
	cmd := p.Update(ctx, PreviewDueMsg[string]{p.Gen}, ask("b", nil))
	result := cmd()
	if !p.Running || p.Known != nil {
		t.Errorf("before the result: %+v", p)
	}
	p.Update(ctx, result, nil)
	if p.Running || p.Known == nil || *p.Known != "b" || asked.Err() != nil {
		t.Errorf("after the result: %+v, %v", p, asked.Err())
	}
	p.Schedule()
	if !p.Running || asked.Err() == nil {
		t.Errorf("after a change: %+v, cancelled: %v", p, asked.Err())
	}
	p.Update(ctx, result, nil)
	if !p.Running {
		t.Errorf("after an outdated result: %+v", p)
	}
	p.Update(ctx, p.Update(ctx, PreviewDueMsg[string]{p.Gen}, ask("", failed))(), nil)
	if p.Running || p.Known != nil || p.Err != failed {
		t.Errorf("after a failed computation: %+v", p)
	}
	p.Schedule()
	if p.Err != nil {
		t.Errorf("after another change: %+v", p)
	}
	find, _ := ask("now", nil)()
	if p.Update(ctx, p.Start(ctx, find)(), nil); p.Running || p.Known == nil || *p.Known != "now" {
		t.Errorf("after a computation without a delay: %+v", p)
	}
	cmd = p.Update(ctx, PreviewDueMsg[string]{p.Gen}, func() (func(context.Context) (string, error), error) {
		return nil, failed
	})
	if cmd != nil || p.Running || p.Known != nil || p.Err != failed {
		t.Errorf("after a text that cannot be computed: %+v", p)
	}
}
