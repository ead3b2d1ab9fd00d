package dash

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// networkPanel is how the outputs of the chosen run's model hang together, at a training
// input and on the average.
type networkPanel struct{ inModel }

// networks finds networks.
var networks choice[view.Network] = func(v view.Views) *view.Network {
	if v.Network != nil && len(v.Network.Points) > 0 {
		return v.Network
	}
	return nil
}

func (networkPanel) Names(*Dash) (long, short string) { return "Network", "Net" }

func (networkPanel) Applies(d *Dash) bool { return networks.somewhere(d) }

func (networkPanel) Title(d *Dash) (title string, notes []string) {
	notes = []string{d.ofWhich(), diagnosedAt(d.snap())}
	if networks.chosen(d) != nil {
		of := "cov E[WKW']+noise"
		if d.look.signals {
			of = "cov E[WKW']"
		}
		notes = append(notes, "|W| is E[w²]^½", of)
	}
	return "Network", notes
}

func (networkPanel) Draw(d *Dash, w, h int) []string {
	if n := networks.chosen(d); n != nil {
		return picture.Network(n, d.networkPoint(n), !d.look.signals).Render(d.theme.VizStyle(),
			w, h)
	}
	return d.without("this model is no network of latent functions and weights", w, h)
}

func (networkPanel) Wide() bool { return true }

// Arrow goes to another training input, or puts the noise in or out.
func (p networkPanel) Arrow(d *Dash, across, down int) string {
	n := networks.chosen(d)
	if n == nil {
		return "there is no network"
	}
	d.look.place = (d.networkPoint(n) + across + len(n.Points)) % len(n.Points)
	if down != 0 {
		d.look.signals = !d.look.signals
	}
	if d.shows(p) {
		return ""
	}
	return fmt.Sprintf("network at point %d of %d", d.look.place+1, len(n.Points))
}

func (networkPanel) Wheel() (across, down int) { return 1, 0 }

func (networkPanel) Files(d *Dash) []exported {
	n := networks.chosen(d)
	if n == nil {
		return nil
	}
	g := picture.Network(n, d.networkPoint(n), !d.look.signals)
	o := figure.Options{Title: "Network, step " + kit.Grouped(d.snap().Diagnostics.Step)}
	return append([]exported{{"network" + ".csv",
		func(w io.Writer) error { return picture.WholeNetwork(n).CSV(w) }}},
		both("network", g, o)...)
}

// networkPoint returns the place of the chosen point, one that there is.
func (d *Dash) networkPoint(n *view.Network) int { return d.look.place % len(n.Points) }
