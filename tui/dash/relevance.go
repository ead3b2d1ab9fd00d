package dash

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/viz/figure"
	"dgplab/viz/fits"
)

// relevancePanel is how much the inputs matter to the kernels of the first layer of the
// runs, by their lengthscales.
type relevancePanel struct{ plain }

func (relevancePanel) Names(*Dash) (long, short string) { return "Relevance", "Rel" }

func (relevancePanel) Applies(d *Dash) bool {
	return d.some(func(s *session.Snapshot) bool { return len(lengthsOf(s)) > 0 })
}

// lengths are the lengthscales of the inputs in a kernel.
type lengths struct {
	name   string
	values []float64
}

// lengthsOf returns those of the kernels of a run whose inputs are those of the data: none
// where there is one input, or one lengthscale for all.
func lengthsOf(s *session.Snapshot) (list []lengths) {
	if s.D < 2 {
		return nil
	}
	for _, q := range s.Hyper {
		layer, rest, deep := strings.Cut(q.Name, "layer.")
		deeper := deep && !strings.HasPrefix(rest, "0.")
		if !strings.Contains(q.Name, "lengthscale") || deeper || layer != "" && deep ||
			len(q.Value) == 0 || len(q.Value)%s.D != 0 {
			continue
		}
		name := q.Name
		if deep {
			name = strings.TrimPrefix(rest, "0.")
		}
		for _, what := range []string{"kernel.lengthscale", "lengthscale"} {
			name, _, _ = strings.Cut(name, what)
		}
		name = strings.ReplaceAll(strings.Trim(name, "."), ".", " ")
		n := len(q.Value) / s.D
		for k := range n {
			one := lengths{strings.TrimSpace(name), q.Value[k*s.D : (k+1)*s.D]}
			if n > 1 {
				one.name = strings.TrimSpace(fmt.Sprintf("%s GP %d", one.name, k+1))
			}
			list = append(list, one)
		}
	}
	return list
}

// lengthsLeading returns the kernels of the chosen run, or else of the first that has any.
func (d *Dash) lengthsLeading() []lengths {
	if s := d.snap(); s != nil {
		if list := lengthsOf(s); len(list) > 0 {
			return list
		}
	}
	for _, r := range d.runs {
		if r.snap != nil {
			if list := lengthsOf(r.snap); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

func (relevancePanel) Title(d *Dash) (title string, notes []string) {
	list := d.lengthsLeading()
	if len(list) > 1 {
		k := d.look.lengths % len(list)
		notes = append(notes, fmt.Sprintf("%s, %d of %d", list[k].name, k+1, len(list)))
	}
	if s := d.snap(); s != nil && len(d.runs) == 1 {
		notes = append(notes, "at step "+kit.Grouped(s.Step))
	}
	return "Relevance of the inputs", notes
}

func (relevancePanel) Draw(d *Dash, w, h int) []string {
	return d.relevance().Render(d.theme.VizStyle(), w, h)
}

// relevance is the picture of all runs that have as many inputs as the first with a kernel.
func (d *Dash) relevance() (p fits.Relevance) {
	first := d.lengthsLeading()
	if len(first) == 0 {
		return p
	}
	n := len(first[0].values)
	for k := range n {
		p.Inputs = append(p.Inputs, fmt.Sprintf("input %d", k+1))
	}
	for _, r := range d.runs {
		if v, _ := r.views(); v.Fit != nil && len(v.Fit.Inputs) == n {
			for k, name := range v.Fit.Inputs {
				p.Inputs[k] = printable.Text(name)
			}
			break
		}
	}
	few := d.few()
	for i := range d.runs {
		at := (d.chosen + i) % len(d.runs)
		r := d.runs[at] // Those that matter to the chosen run come first.
		if r.snap == nil || r.snap.D != n || !slices.Contains(few, at) {
			continue
		}
		if list := lengthsOf(r.snap); len(list) > 0 {
			l := fits.Lengths{Run: r.index, Values: list[d.look.lengths%len(first)%len(list)].values}
			if len(d.runs) > 1 {
				l.Label = r.brief
			}
			p.List = append(p.List, l)
		}
	}
	return p
}

func (relevancePanel) Shows(d *Dash, r *shown) any {
	v, _ := r.views()
	return struct {
		whole wholeRun
		fit   any
	}{wholeRun{r.snap, r == d.current()}, v.Fit}
}

// Arrow goes to another kernel.
func (p relevancePanel) Arrow(d *Dash, across, down int) string {
	n := len(d.lengthsLeading())
	if n < 2 {
		return p.plain.Arrow(d, across, down)
	}
	d.look.lengths = (d.look.lengths%n + across + down + n) % n
	return ""
}

func (relevancePanel) Files(d *Dash) []exported {
	p := d.relevance()
	o := figure.Options{Title: "Relevance of the inputs, " + d.exportTitle()}
	if len(p.List) == 0 {
		return nil
	}
	return withCSV("relevance", p, o)
}
