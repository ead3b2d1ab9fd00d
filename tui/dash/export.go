package dash

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/viz"
	"dgplab/viz/figure"
)

// exported is one file of an export.
type exported struct {
	name  string
	write func(io.Writer) error
}

// export writes what the screen shows into the run directory, in the background.
// The snapshot is immutable, so that all files belong to the same moment.
func (d *Dash) export() tea.Cmd {
	r, s, l := d.run, d.snap, d.look
	return func() tea.Msg {
		msg := exportDoneMsg{dir: r.Dir()}
		for _, f := range exportFiles(s, l) {
			_, err := r.WriteFile(f.name, f.write)
			if errors.Is(err, figure.ErrNothing) {
				continue // For instance, no validation points.
			}
			if err != nil {
				msg.err = fmt.Errorf("%s: %w", f.name, err)
				return msg
			}
			msg.files = append(msg.files, f.name)
		}
		if len(msg.files) == 0 {
			msg.err = errors.New("there is nothing to export yet")
		}
		return msg
	}
}

// exportDone says what was written.
func (d *Dash) exportDone(msg exportDoneMsg) tea.Cmd {
	d.exporting = false
	if msg.err != nil {
		return d.host.Say(kit.Bad, "export failed: "+msg.err.Error())
	}
	return d.host.Say(kit.Good, "exported "+strconv.Itoa(len(msg.files))+" files to "+msg.dir)
}

// exportFiles lists the files of an export: what there is to see, as pictures
// and as tables. The curves have the axes and the smoothing of the screen.
func exportFiles(s *session.Snapshot, l look) []exported {
	if s == nil {
		return nil
	}
	var files []exported
	if len(s.Curve) > 0 {
		files = append(files, exported{"curve.csv", func(w io.Writer) error { return writeCurve(w, s.Curve) }})
		files = append(files, curveFigures("elbo", "ELBO", curve(panelELBO, s, l), s)...)
		files = append(files, curveFigures("validation", "mean log-likelihood", curve(panelValidation, s, l), s)...)
	}
	if s.Diagnostics == nil {
		return files
	}
	step := ", step " + kit.Grouped(s.Diagnostics.Step)
	if m := s.Diagnostics.Covariance; m != nil {
		picture, o := blockPicture(m), figure.Options{Title: "Covariance of the inducing outputs" + step}
		files = append(files, exported{"covariance.csv", func(w io.Writer) error { return figure.BlockMapCSV(w, picture) }})
		files = append(files, both("covariance", func(w io.Writer, f figure.Format) error { return figure.BlockMap(w, f, picture, o) })...)
	}
	return append(files, layerFiles(s.Diagnostics.Layers, step)...)
}

// layerFiles lists what is exported about the layers.
func layerFiles(layers []models.LayerSamples, step string) []exported {
	if len(layers) == 0 {
		return nil
	}
	pictures := make([]viz.LayerPanel, len(layers))
	var files []exported
	for i := range layers {
		picture := layerPicture(layers, i, 0)
		pictures[i] = picture
		o := figure.Options{Title: fmt.Sprintf("Samples in layer %d of %d%s", i+1, len(layers), step)}
		files = append(files, both(fmt.Sprintf("samples-layer-%d", i+1), func(w io.Writer, f figure.Format) error { return figure.Layer(w, f, picture, o) })...)
	}
	return append(files,
		exported{"samples.csv", func(w io.Writer) error { return figure.LayerCurvesCSV(w, pictures) }},
		exported{"layers.csv", func(w io.Writer) error { return figure.LayersCSV(w, pictures) }})
}

// curveFigures lists the pictures of one curve.
func curveFigures(name, y string, c viz.Curve, s *session.Snapshot) []exported {
	o := figure.Options{Title: s.Config.Dataset + ", " + s.Config.Family, Y: y}
	return both(name, func(w io.Writer, f figure.Format) error { return figure.Curves(w, f, c, o) })
}

// both lists a picture as PNG and as SVG.
func both(name string, draw func(io.Writer, figure.Format) error) []exported {
	return []exported{
		{name + ".png", func(w io.Writer) error { return draw(w, figure.PNG) }},
		{name + ".svg", func(w io.Writer) error { return draw(w, figure.SVG) }},
	}
}

// writeCurve writes the points of the curves as the screen has them: all of them
// in a short run, thinned in a long one; metrics.jsonl always has them all. What
// was not measured is empty.
func writeCurve(w io.Writer, points []session.Point) error {
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "step,seconds,objective,expected_log_lik,kl,val_log_lik")
	for _, p := range points {
		fmt.Fprintf(b, "%d,%s,%s,%s,%s,%s\n", p.Step, number(p.Seconds), number(p.Objective),
			number(p.ExpectedLogLik), number(p.KL), number(p.ValLogLik))
	}
	return b.Flush()
}
