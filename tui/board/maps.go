package board

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
)

// newMapsPanels returns the panel of the GPs of the selected run over the inputs of their layers, and
// the panel of their factors by inducing point. Both show the same GP.
func newMapsPanels() (maps, factors *Panel) {
	find := finderOf(func(v view.Views) *view.Maps { return v.Maps },
		func(m *view.Maps) int { return len(m.GPs) })
	which := &Choice{
		name: "map", position: new(position), arrows: leftRight,
		Count: find.count(func(m *view.Maps) int { return len(m.GPs) }),
	}
	which.note = func(b *Board) string { // The view may lack the maps of some GPs.
		m := find.in(b)
		return fmt.Sprintf("%s %d of %d", which.name, b.Value(which)+1, len(m.GPs)+m.More)
	}
	chosen := func(b *Board) *view.Map { return &find.in(b).GPs[b.Value(which)] }
	quantity := &Choice{
		name: "quantity", position: new(position), arrows: upDown,
		Count: find.count(func(*view.Maps) int { return 2 }),
		label: func(_ *Board, i int) string { return [...]string{"mean", "standard deviation"}[i] },
	}
	quantity.note = func(b *Board) string {
		if len(chosen(b).Axes) == 1 { // The picture shows both.
			return ""
		}
		return b.text(quantity)
	}
	maps = modelPanel(find, "this model has no maps of its layers", Panel{
		Name: "Maps", short: "Maps", title: "Maps of the layers",
		Guide:   mapsGuide,
		Choices: []*Choice{which, quantity},
		heading: func(b *Board) (title string, notes []string) {
			g := chosen(b)
			return "Map of " + gpName(g.Layer, g.GP), []string{"without noise"}
		},
		picture: func(b *Board) viz.Picture {
			if g := chosen(b); len(g.Axes) == 2 {
				return mapPlane(g, find.in(b).Total, b.Value(quantity) == 1)
			}
			return mapCurve(chosen(b))
		},
		figures: func(b *Board) []report.Figure {
			list := []report.Figure{{Name: "map-points",
				CSV: func(w io.Writer) error { return mapPointsCSV(w, find.in(b)) }}}
			for _, b := range b.each(which) {
				for _, b := range b.each(quantity) {
					sd := b.Value(quantity) == 1
					if g := chosen(b); len(g.Axes) == 2 || !sd { // A curve shows both quantities.
						list = append(list, mapFigure(g, find.in(b).Total, sd, b.diagnosedStep()))
					}
				}
			}
			return list
		},
	})
	oneOf := *which
	oneOf.arrows = anyArrow
	factors = modelPanel(find, "this model has no factors", Panel{
		Name: "Factors", short: "Fact", title: "Factor by inducing point",
		Guide:   factorsGuide,
		Choices: []*Choice{&oneOf},
		lead:    func(b *Board) []string { return []string{b.whichRun()} },
		heading: func(b *Board) (title string, notes []string) {
			g := chosen(b)
			strongest := 0
			for k, strength := range g.Strength {
				if strength > g.Strength[strongest] {
					strongest = k
				}
			}
			return "Factor of " + gpName(g.Layer, g.GP),
				[]string{fmt.Sprintf("strongest at point %d", strongest+1), b.atStep()}
		},
		picture: func(b *Board) viz.Picture { return factorPicture(chosen(b)) },
		file:    "factor",
		caption: func(b *Board) string {
			g := chosen(b)
			return "Factor of " + gpName(g.Layer, g.GP) + ", " + b.diagnosedStep()
		},
	})
	return maps, factors
}

// mapFigure returns a picture of a GP: of its mean and standard deviation over one input, or of one of them
// over two inputs. of is the number of training inputs.
func mapFigure(g *view.Map, of int, sd bool, step string) report.Figure {
	name := fmt.Sprintf("map-layer-%d-gp-%d", g.Layer+1, g.GP+1)
	title := gpName(g.Layer, g.GP) + ", " + step
	if len(g.Axes) == 1 {
		return report.NewFigure(name, mapCurve(g), figure.Options{Title: title})
	}
	p := mapPlane(g, of, sd)
	if sd {
		name += "-sd"
	}
	return report.NewFigure(name, p, figure.Options{Title: p.Name + ", " + title})
}

// mapPointsCSV writes the training inputs of every map with the value of its GP, and its inducing
// inputs with the strength of the factor.
func mapPointsCSV(w io.Writer, m *view.Maps) error {
	t := figure.NewTable(w, "layer", "gp", "what", "point", "x", "y", "f", "strength")
	for _, g := range m.GPs {
		write := func(what string, point int, at []view.Rounded, values ...string) {
			row := []string{strconv.Itoa(g.Layer + 1), strconv.Itoa(g.GP + 1), what, strconv.Itoa(point + 1),
				figure.Exact(at[0][point]), ""}
			if len(at) == 2 {
				row[5] = figure.Exact(at[1][point])
			}
			t.Row(append(row, values...)...)
		}
		for k, f := range g.Out {
			write("training", k, g.Data, figure.Exact(f), "")
		}
		for k, s := range g.Strength {
			write("inducing", k, g.Inducing, "", figure.Exact(s))
		}
	}
	return t.Close()
}

// The labels of the points of a map.
const arriving, inducing = "data", "inducing"

// mapPlane returns the picture of the mean of a GP over two inputs, or of its standard deviation. of is the
// number of training inputs.
func mapPlane(g *view.Map, of int, sd bool) heatmap.PlaneMap {
	m := heatmap.PlaneMap{
		X: g.X, Y: g.Y, XName: g.Names[0], YName: g.Names[1],
		Name: "mean of f", Values: g.Mean, Level: math.NaN(),
		Points: []heatmap.Points{
			{Label: arriving, X: g.Data[0], Y: g.Data[1]},
			{Label: inducing, X: g.Inducing[0], Y: g.Inducing[1]},
		},
		Of: of + len(g.Strength),
	}
	if sd {
		m.Name, m.Values = "sd of f", g.SD
	}
	return m
}

// mapCurve returns the picture of a GP over one input.
func mapCurve(g *view.Map) plots.Bands {
	b := plots.Bands{
		X: g.X, XName: g.Names[0], YName: "f, standardised",
		Marks: g.Inducing[0], MarksName: inducing, DotsName: arriving,
		Bands: []plots.Band{{Label: gpName(g.Layer, g.GP), Mean: g.Mean, SD: g.SD}},
	}
	for k, x := range g.Data[0] {
		b.Dots = append(b.Dots, chart.XY{X: x, Y: g.Out[k]})
	}
	return b
}

// factorPicture returns the picture of the strength of a GP's factor at each inducing point. If the inducing
// inputs have one coordinate, the points are sorted by it.
func factorPicture(g *view.Map) plots.Histogram {
	values := slices.Clone(g.Strength)
	b := plots.Histogram{
		Lo:    0.5,
		Hi:    float64(len(values)) + 0.5,
		XName: "inducing point",
		YName: "log10 prior/posterior variance",
		Label: gpName(g.Layer, g.GP),
	}
	if len(g.Inducing) == 1 {
		b.XName = "inducing point, by its input"
		order := make([]int, len(values))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(g.Inducing[0][i], g.Inducing[0][j])
		})
		for k, i := range order {
			values[k] = g.Strength[i]
		}
	}
	b.Values = values
	return b
}

// gpName returns the name of a GP in a layer, both counted from 0.
func gpName(layer, gp int) string { return fmt.Sprintf("layer %d, GP %d", layer+1, gp+1) }
