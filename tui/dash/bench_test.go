package dash

import (
	"math"
	"slices"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// longRuns returns a dashboard of 200 x 60 cells in full colour with four runs, and the curves of the runs,
// of n points each.
func longRuns(n int) (*desk, []*kittest.Run, [][]rundir.Point) {
	d := emptyDesk(200, 60)
	*d.Theme() = *kit.NewTheme(termenv.TrueColor, true, kit.Unicode)
	var runs []*kittest.Run
	var curves [][]rundir.Point
	for k, name := range []string{"mean-field", "star", "fully-coupled", "chain"} {
		var curve []rundir.Point
		for i := range n {
			x := float64(i)
			p := rundir.Point{Step: i + 1, Seconds: x / 35, ValLogLik: math.NaN(),
				Objective: -1000*math.Exp(-x/2e4) + 50*math.Sin(float64(i*(k+3)))}
			if i%10 == 0 {
				p.ValLogLik = p.Objective / 1000
			}
			curve = append(curve, p)
		}
		s := *kittest.Training(kittest.OfFamily(name, 0), 1000)
		s.Curve, s.Step = curve, n
		runs = append(runs, d.start(&s))
		curves = append(curves, curve)
	}
	return d, runs, curves
}

// BenchmarkFrame updates a dashboard of 200 x 60 cells after another step of each of four runs with 100,000
// points.
func BenchmarkFrame(b *testing.B) { benchmarkFrame(b, 4) }

// BenchmarkFrameOneRunning is BenchmarkFrame with a step of only one of the four runs.
func BenchmarkFrameOneRunning(b *testing.B) { benchmarkFrame(b, 1) }

func benchmarkFrame(b *testing.B, going int) {
	const n, more = 100_000, 20_000
	d, runs, curves := longRuns(n + more)
	for k := range curves {
		s := *runs[k].Latest()
		s.Curve = curves[k][:n:n]
		runs[k].Show(&s)
	}
	d.Send(frameDueMsg{})
	d.View()
	at := n
	b.ReportAllocs()
	for b.Loop() {
		at++
		if at > n+more {
			at = n + 1
		}
		for k, r := range runs[:going] {
			s := *r.Latest()
			s.Curve, s.Step = curves[k][:at:at], at
			r.Show(&s)
		}
		if _, changed := d.dash.Update(frameDueMsg{}); !changed {
			b.Fatal("nothing has changed")
		}
		d.View()
	}
}

// BenchmarkFrameOfDirectories draws four run directories of 100,000 points, read from the beginning and with
// new diagnostics.
func BenchmarkFrameOfDirectories(b *testing.B) {
	d, runs, curves := longRuns(100_000)
	copies := [2][][]rundir.Point{curves, nil}
	for _, c := range curves {
		copies[1] = append(copies[1], slices.Clone(c))
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i++
		for k, r := range runs {
			s := *r.Latest()
			diagnostics := *s.Diagnostics
			s.Curve, s.Diagnostics = copies[i%2][k], &diagnostics
			r.Show(&s)
		}
		d.dash.Update(frameDueMsg{})
		d.View()
	}
}
