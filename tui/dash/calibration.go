package dash

import (
	"fmt"
	"slices"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
	"dgplab/tui/printable"
	"dgplab/viz/calibration"
	"dgplab/viz/figure"
	vizpoints "dgplab/viz/points"
)

// calibrationPanel is one of the pictures of how predictions and their variances
// hold on the test points.
type calibrationPanel struct {
	plain
	long, short, title string
	// real and classes say of which targets there is something to draw.
	real, classes bool
	// note says what is drawn, where the title does not.
	note string
	// inClasses are long and short name, and title, where all runs have classes, if they
	// are others.
	inClasses, shortInClasses string
	// files lists what is exported.
	files func(d *Dash) []exported
	draw  func(th *kit.Theme, runs []panel.Run, target, w, h int) []string
}

var (
	errorsPanel = &calibrationPanel{
		long:  "Errors",
		short: "Err",
		title: "Errors against variance",
		draw:  panel.ErrorVariance,
		real:  true,
		files: errorFiles,
	}
	distancePanel = &calibrationPanel{
		long:  "Distance",
		short: "Dist",
		title: "Variance against distance",
		draw:  panel.VarianceDistance,
		real:  true,
		files: distanceFiles,
	}
	pitPanel = &calibrationPanel{
		long:  "PIT",
		short: "PIT",
		title: "PIT",
		draw:  panel.PIT,
		real:  true,
		files: pitFiles,
	}
	coveragePanel = &calibrationPanel{
		long:           "Coverage",
		short:          "Cover",
		title:          "Coverage",
		draw:           panel.Coverage,
		real:           true,
		classes:        true,
		inClasses:      "Reliability",
		shortInClasses: "Rely",
		files:          coverageFiles,
	}
	// confusionPanel counts which classes are taken for which.
	confusionPanel = &calibrationPanel{
		long:    "Confusion",
		short:   "Conf",
		title:   "Confusion of classes",
		note:    panel.ConfusionNote,
		draw:    panel.DrawConfusion,
		classes: true,
		files:   confusionFiles,
	}
)

func (p *calibrationPanel) Names(d *Dash) (long, short string) {
	if p.onClasses(d) {
		return p.inClasses, p.shortInClasses
	}
	return p.long, p.short
}

// onClasses reports whether the panel is another one because all runs have classes.
func (p *calibrationPanel) onClasses(d *Dash) bool {
	return p.inClasses != "" && len(d.runs) > 0 && d.withClasses() == len(d.runs)
}

// Applies reports whether a run has targets of the kind; one that has not read its
// data may have.
func (p *calibrationPanel) Applies(d *Dash) bool {
	classes := d.withClasses()
	return p.real && (len(d.runs) == 0 || classes < len(d.runs)) || p.classes && classes > 0
}

// withClasses counts the runs on classes.
func (d *Dash) withClasses() int {
	return d.count(func(s *session.Snapshot) bool { return s.Task.Classes() })
}

func (p *calibrationPanel) Title(d *Dash) (title string, notes []string) {
	if p.onClasses(d) {
		return p.inClasses, nil
	}
	if p.note != "" {
		return p.title, []string{p.note}
	}
	name, note := d.targetNote()
	if name == "" {
		return p.title, nil
	}
	return p.title + ": " + name, []string{note}
}

func (p *calibrationPanel) Draw(d *Dash, w, h int) []string {
	key := d.evaluateKey()
	if key != "" && !slices.ContainsFunc(d.runs, func(r *shown) bool {
		return r.snap != nil && r.snap.Predictions != nil
	}) {
		return d.theme.Centred("no run has been evaluated on its test part yet: "+key+
			" evaluates the chosen one as it is now", w, h)
	}
	return p.draw(d.theme, d.fewRuns(), d.look.target, w, h)
}

func (p *calibrationPanel) Shows(d *Dash, r *shown) any { return predictionsOf(d, r) }

func (p *calibrationPanel) Files(d *Dash) []exported {
	return p.files(d)
}

// targetTitle is the title of an exported picture of the chosen target.
func (d *Dash) targetTitle(what string) figure.Options {
	if name, _ := d.targetNote(); name != "" {
		what += ": " + name
	}
	return figure.Options{Title: what + ", " + d.exportTitle()}
}

func errorFiles(d *Dash) []exported {
	return scatterFiles("errors",
		panel.ErrorScatter(d.theme, d.fewRuns(), d.look.target), d.targetTitle("Errors against variance"))
}

func distanceFiles(d *Dash) []exported {
	return scatterFiles("distance", panel.DistanceScatter(d.theme, d.fewRuns(), d.look.target),
		d.targetTitle("Variance against distance"))
}

// scatterFiles are those of clouds of points, none without a cloud.
func scatterFiles(name string, s vizpoints.Scatter, o figure.Options) []exported {
	if len(s.Clouds) == 0 {
		return nil
	}
	return withCSV(name, s, o)
}

func pitFiles(d *Dash) []exported {
	list := panel.PITBars(d.theme, d.fewRuns(), d.look.target)
	o := d.targetTitle("Probability integral transform")
	if len(list) == 0 {
		return nil
	}
	return withCSV("pit", calibration.Histograms(list), o)
}

// coverageFiles are those of the runs on real targets and of those on classes.
func coverageFiles(d *Dash) (files []exported) {
	c := panel.Coverages(d.theme, d.fewRuns(), d.look.target)
	o := d.targetTitle("Coverage")
	if len(c.Lines) > 0 {
		files = withCSV("coverage", c, o)
	}
	if d.withClasses() > 0 {
		files = append(files, reliabilityFiles(d)...)
	}
	return files
}

// reliabilityFiles and confusionFiles are of the runs on classes.
func reliabilityFiles(d *Dash) []exported {
	r := panel.Reliability(d.theme, d.fewRuns())
	o := figure.Options{Title: "Reliability, " + d.exportTitle()}
	return withCSV("reliability", r, o)
}

func confusionFiles(d *Dash) []exported {
	g := panel.Confusion(d.theme, d.fewRuns())
	o := figure.Options{Title: "Confusion of classes, " + d.exportTitle()}
	if len(g.Bands) == 0 {
		return nil
	}
	return withCSV("confusion", g, o)
}

// Arrow goes to another target.
func (p *calibrationPanel) Arrow(d *Dash, across, down int) string {
	if names := panel.Targets(d.fewRuns()); len(names) > 1 {
		d.look.target = (d.look.target%len(names) + across + down + len(names)) % len(names)
	}
	name, note := d.targetNote()
	if note == "" {
		return name
	}
	return name + ", " + note
}

// targetNote names the target that the calibration is of, where models have several, and
// says which of those tested it is, where those are several.
func (d *Dash) targetNote() (name, note string) {
	runs := d.fewRuns()
	names := panel.Targets(runs)
	if len(names) == 0 || !panel.HasSeveral(runs) {
		return "", ""
	}
	k := d.look.target % len(names)
	if len(names) > 1 {
		note = fmt.Sprintf("target %d of %d", k+1, len(names))
	}
	return printable.Text(names[k]), note
}
