package dash

import (
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/session"
	"dgplab/tui/kit"
)

// yAxis is how the curves' values are drawn.
type yAxis int

const (
	yLinear yAxis = iota
	// ySymlog is linear around zero and logarithmic beyond, so that a negative
	// ELBO can be drawn.
	ySymlog
	// yGap is the distance to the best value so far, on a log axis.
	yGap
	numYAxes
)

// String returns the name that the panels show.
func (y yAxis) String() string {
	return [...]string{"linear", "symmetric log", "gap to best, log"}[y]
}

// strengths are the steps of the smoothing keys: weights of an exponential
// moving average.
var strengths = []float64{0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995}

// look is how a person wants the panels drawn. It is theirs: data never changes it.
type look struct {
	timeAxis  bool
	y         yAxis
	smoothing int // index of strengths
	layer, gp int
}

// strength returns the weight of the smoothing, 0 for none.
func (l look) strength() float64 { return strengths[l.smoothing] }

// Dash is the screen that watches one run; it is a kit.Screen.
type Dash struct {
	host  kit.Host
	theme *kit.Theme
	w, h  int

	run    kit.Run // nil before the first
	gen    int     // of the run; messages of another one are dropped
	config session.Config

	snap *session.Snapshot // nil before the first
	over bool              // the run's goroutine has returned

	focus     panelID
	zoomed    bool
	look      look
	exporting bool
	cache     [numPanels]panelCache
}

// New returns a dashboard that shows no run yet.
func New(host kit.Host) *Dash {
	return &Dash{host: host, theme: host.Theme(), look: look{y: yLinear, smoothing: 3}}
}

// Title names the screen.
func (d *Dash) Title() string { return "Dashboard" }

// Bindings returns the keys.
func (d *Dash) Bindings() []kit.Binding { return bindings }

// SetSize gives the screen w x h cells.
func (d *Dash) SetSize(w, h int) { d.w, d.h = w, h }

// Open shows a run of this program when the payload is a kit.Watch.
func (d *Dash) Open(payload any) tea.Cmd {
	watch, ok := payload.(kit.Watch)
	if !ok {
		return nil
	}
	for _, r := range d.host.Runs() {
		if slices.Contains(watch.Runs, r.ID()) {
			return d.show(r)
		}
	}
	return nil
}

// show watches r from now on. How the panels are drawn stays as it is.
func (d *Dash) show(r kit.Run) tea.Cmd {
	if r == d.run {
		return nil
	}
	d.run, d.snap, d.over = r, nil, !kit.Going(r)
	d.gen++
	d.look.layer, d.look.gp = 0, 0
	d.take(r.Latest())
	if d.over {
		return nil
	}
	return poll(r, d.gen, 0)
}

// poll takes the newest snapshot after one frame. Latest is one atomic load, so
// neither side waits for the other.
func poll(r kit.Run, gen int, after time.Duration) tea.Cmd {
	return tea.Tick(after, func(time.Time) tea.Msg { return snapshotTakenMsg{gen, r.Latest()} })
}

// Update takes snapshots, new runs, the end of the run and the end of an export.
func (d *Dash) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case snapshotTakenMsg:
		if msg.gen != d.gen {
			return nil, false
		}
		changed = d.take(msg.snapshot)
		if d.over {
			return nil, changed // The last snapshot will not change; nothing is left to poll.
		}
		return poll(d.run, d.gen, d.host.Frame()), changed
	case kit.RunStartedMsg:
		if msg.Err != nil {
			return nil, false
		}
		return d.show(msg.Run), true
	case kit.RunEndedMsg:
		if msg.Run != d.run {
			return nil, false
		}
		d.over = true
		d.take(d.run.Latest())
		return nil, true
	case exportDoneMsg:
		return d.exportDone(msg), true
	}
	return nil, false
}

// take shows a snapshot and reports whether it is a new one.
func (d *Dash) take(s *session.Snapshot) bool {
	if s == nil || s == d.snap {
		return false
	}
	d.snap, d.config = s, s.Config
	return true
}

// layers returns what the samples did in each layer when last looked at.
func (d *Dash) layers() []models.LayerSamples {
	if d.snap == nil || d.snap.Diagnostics == nil {
		return nil
	}
	return d.snap.Diagnostics.Layers
}

// layer returns the chosen layer and GP, and whether they exist.
func (d *Dash) layer() (layer, gp int, ok bool) {
	layers := d.layers()
	if len(layers) == 0 {
		return 0, 0, false
	}
	layer = min(max(d.look.layer, 0), len(layers)-1)
	gps := len(layers[layer].GPs)
	if gps == 0 {
		return layer, 0, false
	}
	return layer, min(max(d.look.gp, 0), gps-1), true
}

func (d *Dash) xAxisName() string {
	if d.look.timeAxis {
		return "time"
	}
	return "steps"
}

func smoothingText(strength float64) string {
	if strength == 0 {
		return "off"
	}
	return fmt.Sprintf("%g", strength)
}
