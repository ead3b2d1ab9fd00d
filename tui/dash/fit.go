package dash

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/tui/printable"
	"dgplab/viz/axes"
	"dgplab/viz/figure"
	"dgplab/viz/fits"
)

// fitPanel is what the runs predict along an input beside the data, on one scale.
type fitPanel struct{ ofFits }

// ofFits is what panels of fits have in common: they show those of all runs along the input
// and of the target that are chosen, and the keys choose these.
type ofFits struct{ plain }

// actTarget asks for the next target of a fit.
const actTarget kit.Action = "fit_target"

// fitOf finds what is predicted beside the data.
var fitOf choice[view.Fit] = func(v view.Views) *view.Fit { return v.Fit }

func (ofFits) Shows(d *Dash, r *shown) any {
	v, _ := r.views()
	return struct {
		fit    *view.Fit
		state  any
		chosen bool
	}{v.Fit, stateOf(r.snap), r == d.current()}
}

// fitted is a run on the screen with its fit, and the line and the target that are shown.
type fitted struct {
	*shown
	*view.Fit
	line, target int
}

// leading returns the fit that says what there is to choose: that of the chosen run, or else
// the first; nil where there is none.
func (d *Dash) leading() *view.Fit {
	if f := fitOf.chosen(d); f != nil {
		return f
	}
	for _, r := range d.runs {
		if v, _ := r.views(); v.Fit != nil {
			return v.Fit
		}
	}
	return nil
}

// along, target and level return what is chosen of a fit, something that there is.
func (d *Dash) along(f *view.Fit) int  { return d.look.along % len(f.Lines) }
func (d *Dash) target(f *view.Fit) int { return d.look.fitted % len(f.Targets) }
func (d *Dash) level(f *view.Fit) int {
	return min(max(len(f.Levels)/2+d.look.level, 0), len(f.Levels)-1)
}

// fits returns the runs that have a fit along the chosen input and of the chosen target, and
// says which are left out.
func (d *Dash) fits() (list []fitted, left string) {
	first := d.leading()
	if first == nil {
		return nil, ""
	}
	name := first.Lines[d.along(first)].Name
	target := first.Targets[d.target(first)]
	without := 0
	for _, i := range d.few() {
		r := d.runs[i]
		v, _ := r.views()
		if v.Fit == nil {
			without++
			continue
		}
		line := slices.IndexFunc(v.Fit.Lines, func(l view.FitLine) bool { return l.Name == name })
		if at := slices.Index(v.Fit.Targets, target); line >= 0 && at >= 0 {
			list = append(list, fitted{r, v.Fit, line, at})
		} else {
			without++
		}
	}
	if without > 0 {
		left = fmt.Sprintf("%d of %d runs have it", len(list), len(list)+without)
	}
	return list, left
}

// axes names the axes of a fit along its line.
func (f fitted) axes() (x, y string, dates axes.Dates) {
	x, y = picture.FitAxes(f.Fit, f.line, f.target)
	dates = picture.FitDates(f.Fit, f.line)
	dates.Name = printable.Text(dates.Name)
	return printable.Text(x), printable.Text(y), dates
}

// named gives a picture the name of its run where there are several.
func (d *Dash) named(f fitted) (label, note string, run int) {
	if len(d.runs) < 2 {
		return "", "", f.index
	}
	return f.brief, "step " + kit.Grouped(f.Step), f.index
}

func (fitPanel) Names(*Dash) (long, short string) { return "Fit", "Fit" }

func (fitPanel) Applies(d *Dash) bool {
	return d.mayHaveView(func(v view.Views) bool { return v.Fit != nil }) ||
		d.some(func(s *session.Snapshot) bool { return s.State == session.Ended && s.CheckpointStep >= 0 })
}

func (fitPanel) Title(d *Dash) (title string, notes []string) {
	f := d.leading()
	if f == nil {
		return "Fit", nil
	}
	_, left := d.fits()
	notes = d.fitStep(f)
	switch others := d.otherInputs(f); {
	case others == "":
	case d.look.level == 0:
		notes = append(notes, d.whichLine(f), others)
	default: // was chosen
		notes = append(notes, others, d.whichLine(f))
	}
	notes = append(notes, d.whichTarget(f), left)
	if f.Samples > 1 {
		notes = append(notes, kit.Plural(f.Samples, "sample", "samples"))
	}
	return fmt.Sprintf("Fit of %s along %s", d.targetName(f), printable.Text(f.Lines[d.along(f)].Name)), notes
}

// otherInputs says where the other inputs are held; "" without any.
func (d *Dash) otherInputs(f *view.Fit) string {
	switch n := len(f.Levels); {
	case n < 2:
		return ""
	case d.level(f) == n/2:
		return "others at their medians"
	}
	return fmt.Sprintf("others at their %g %% quantiles", 100*f.Levels[d.level(f)])
}

// fitStep says of which step a fit is, where a legend does not: it is made more rarely than
// what else is on the screen, and may be old.
func (d *Dash) fitStep(f *view.Fit) []string {
	if len(d.runs) > 1 {
		return nil
	}
	return []string{"at step " + kit.Grouped(f.Step)}
}

// whichLine says which of the inputs is chosen.
func (d *Dash) whichLine(f *view.Fit) string {
	if n := len(f.Lines); n < len(f.Inputs) {
		return fmt.Sprintf("input %d of %d, of all %d those most correlated with the target",
			d.along(f)+1, n, len(f.Inputs))
	}
	return fmt.Sprintf("input %d of %d", d.along(f)+1, len(f.Lines))
}

// whichTarget says which of several targets is chosen, "" of one.
func (d *Dash) whichTarget(f *view.Fit) string {
	if len(f.Targets) == 1 {
		return ""
	}
	what := "target"
	if f.Classes {
		what = "class"
	}
	return fmt.Sprintf("%s %d of %d", what, d.target(f)+1, len(f.Targets))
}

// targetName is that of the chosen target, or what is predicted of a class.
func (d *Dash) targetName(f *view.Fit) string { return printable.Text(f.Targets[d.target(f)]) }

func (fitPanel) Draw(d *Dash, w, h int) []string { return d.drawFits(d.fitPicture(), w, h) }

// fitPicture is that of all runs.
func (d *Dash) fitPicture() (p fits.Fits) {
	list, _ := d.fits()
	for _, f := range list {
		one := picture.Fit(f.Fit, f.line, min(d.level(d.leading()), len(f.Levels)-1), f.target)
		one.Label, one.Note, one.Run = d.named(f)
		p.List = append(p.List, one)
		p.XName, p.YName, p.XDates = f.axes()
	}
	return p
}

// drawFits draws a picture of fits, or says why there is none.
func (d *Dash) drawFits(p fits.Fits, w, h int) []string {
	if len(p.List) == 0 {
		return d.withoutFit(w, h)
	}
	return p.Render(d.theme.VizStyle(), w, h)
}

// withoutFit says why no run has a fit.
func (d *Dash) withoutFit(w, h int) []string {
	if r := d.current(); r != nil && r.ended() && d.lookIntoBarred() == "" {
		return d.theme.Centred("nothing was predicted beside the data: "+d.keyOf(actDiagnose)+
			" looks into the last checkpoint", w, h)
	}
	return d.theme.Centred(d.noDataYet("the first predictions beside the data"), w, h)
}

// keyOf returns the label of the key of an action.
func (d *Dash) keyOf(act kit.Action) string {
	b, _ := kit.Find(bindings, act)
	return d.theme.Glyphs.KeyLabel(b.Label())
}

// fitBindings are the keys of all panels of fits.
func (fitPanel) Keys() []kit.Binding {
	return []kit.Binding{kit.Bind(actTarget, "t", "",
		"In the fit, look at the next target, or the next class.", "t")}
}

func (p fitPanel) Act(d *Dash, _ kit.Action) string {
	f := d.leading()
	switch {
	case f == nil:
		return "there is no fit yet"
	case len(f.Targets) == 1:
		return "there is but one target"
	}
	d.look.fitted = (d.target(f) + 1) % len(f.Targets)
	if d.shows(p) {
		return ""
	}
	return "the fit is of " + d.targetName(f) + ", " + d.whichTarget(f)
}

// Arrow goes to another input, or holds the others at another level; where there is but one
// input, up and down go to another target.
func (p ofFits) Arrow(d *Dash, across, down int) string {
	f := d.leading()
	if f == nil {
		return p.plain.Arrow(d, across, down)
	}
	d.look.along = (d.along(f) + across + len(f.Lines)) % len(f.Lines)
	if len(f.Levels) > 1 {
		level := min(max(d.level(f)-down, 0), len(f.Levels)-1)
		d.look.level = level - len(f.Levels)/2
	} else {
		d.look.fitted = (d.target(f) + down + len(f.Targets)) % len(f.Targets)
	}
	return ""
}

func (ofFits) Wheel() (across, down int) { return 1, 0 }

// Files has a picture along every input, with the others at the chosen level.
func (fitPanel) Files(d *Dash) []exported {
	return d.filesAlong("fit", "Fit of %s along %s", d.otherInputs, d.fitPicture)
}

// filesAlong lists a picture of fits along each input in turn. The title is of the target and
// the input, and goes on with what else there is to say.
func (d *Dash) filesAlong(
	name, title string, more func(*view.Fit) string, of func() fits.Fits,
) (files []exported) {
	f := d.leading()
	if f == nil {
		return nil
	}
	before := d.look.along
	defer func() { d.look.along = before }()
	for i, l := range f.Lines {
		d.look.along = i
		p, file := of(), name
		if len(p.List) == 0 {
			continue
		}
		if len(f.Lines) > 1 {
			file = fmt.Sprintf("%s-input-%d", name, l.Input+1)
		}
		words := []string{fmt.Sprintf(title, d.targetName(f), l.Name), more(f), d.exportTitle()}
		if len(d.runs) == 1 { // Each of several says its own.
			words = append(words, "step "+kit.Grouped(f.Step))
		}
		o := figure.Options{
			Title: strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", "),
		}
		files = append(files, withCSV(file, p, o)...)
	}
	return files
}

// dependencePanel is the partial dependence of the runs' predictions on an input.
type dependencePanel struct{ ofFits }

func (dependencePanel) Names(*Dash) (long, short string) { return "Dependence", "Dep" }

func (dependencePanel) Applies(d *Dash) bool {
	n, _ := d.haveView(func(v view.Views) bool { return v.Fit != nil && v.Fit.Rows > 0 })
	return n > 0
}

func (dependencePanel) Title(d *Dash) (title string, notes []string) {
	f := d.leading()
	if f == nil {
		return "Partial dependence", nil
	}
	title = "Partial dependence"
	if len(f.Targets) > 1 {
		title += " of " + d.targetName(f)
	}
	return title + " on " + printable.Text(f.Lines[d.along(f)].Name),
		append(d.fitStep(f), d.whichLine(f), d.whichTarget(f), "without noise")
}

func (dependencePanel) Draw(d *Dash, w, h int) []string {
	if f := d.leading(); f != nil && f.Rows == 0 {
		return d.theme.Centred("with one input the fit is the dependence on it", w, h)
	}
	return d.drawFits(d.dependence(), w, h)
}

// dependence is the picture of all runs.
func (d *Dash) dependence() (p fits.Fits) {
	list, _ := d.fits()
	for _, f := range list {
		if f.Rows == 0 {
			continue
		}
		one := picture.Dependence(f.Fit, f.line, f.target)
		one.Label, one.Note, one.Run = d.named(f)
		p.List = append(p.List, one)
		p.XName, p.YName, p.XDates = f.axes()
	}
	return p
}

func (dependencePanel) Files(d *Dash) []exported {
	return d.filesAlong("dependence",
		"Partial dependence of %s on %s", func(*view.Fit) string { return "" }, d.dependence)
}

// predictedPanel is what the runs predict against what was observed, at points that are held
// back.
type predictedPanel struct{ ofFits }

func (predictedPanel) Names(*Dash) (long, short string) { return "Predicted", "Pred" }

func (predictedPanel) Applies(d *Dash) bool {
	n, _ := d.haveView(func(v view.Views) bool {
		return v.Fit != nil && !v.Fit.Classes && v.Fit.Held.Size() > 0
	})
	return n > 0
}

func (predictedPanel) Title(d *Dash) (title string, notes []string) {
	f := d.leading()
	if f == nil {
		return "Predicted against observed", nil
	}
	title = "Predicted against observed " + d.targetName(f)
	points := f.Held.Name
	if n := f.Held.Size(); n < f.Held.Total {
		points = fmt.Sprintf("%d of %s %s", n, kit.Grouped(f.Held.Total), points)
	}
	return title, append(d.fitStep(f), d.whichTarget(f), points)
}

func (predictedPanel) Draw(d *Dash, w, h int) []string {
	p := d.predicted()
	if len(p.List) == 0 {
		return d.withoutFit(w, h)
	}
	return p.Render(d.theme.VizStyle(), w, h)
}

// predicted is the picture of all runs.
func (d *Dash) predicted() (p fits.Againsts) {
	list, _ := d.fits()
	for _, f := range list {
		if f.Classes {
			continue
		}
		one := picture.Against(f.Fit, f.target)
		one.Label, one.Note, one.Run = d.named(f)
		p.List = append(p.List, one)
		p.XName = "observed " + printable.Text(picture.TargetAxis(f.Fit, f.target))
		p.YName = "predicted"
	}
	return p
}

// Arrow goes to another target.
func (p predictedPanel) Arrow(d *Dash, across, down int) string {
	f := d.leading()
	if f == nil || len(f.Targets) == 1 {
		return p.plain.Arrow(d, across, down)
	}
	d.look.fitted = (d.target(f) + across + down + len(f.Targets)) % len(f.Targets)
	return ""
}

func (predictedPanel) Files(d *Dash) []exported {
	p, o := d.predicted(), figure.Options{}
	if len(p.List) == 0 {
		return nil
	}
	o.Title = fmt.Sprintf("Predicted against observed %s, %s", d.targetName(d.leading()), d.exportTitle())
	return withCSV("predicted", p, o)
}
