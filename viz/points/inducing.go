package points

import (
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Inducing shows where the inducing points of one input lie in a plane: by a letter
// each, over those of other inputs and over what is seen of the data.
type Inducing struct {
	XName, YName string
	// Seen is what is seen of the data.
	Seen []axes.XY
	// Inputs are those with inducing points, [I], all of the same number; Chosen is one
	// of them.
	Inputs []InducingInput
	Chosen int
	// Facts are lines below the plane.
	Facts [][]Fact
}

// InducingInput is an input and its inducing points, [M].
type InducingInput struct {
	At axes.XY
	Z  []axes.XY
}

// Fact is a number with its name; what is wrong stands out.
type Fact struct {
	Name, Value string
	Wrong       bool
}

// factsHeight is the least height of the plane above facts.
const factsHeight = 7

// letter returns the sign of inducing point m.
func letter(m int) rune {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return rune(letters[m%len(letters)])
}

// Letter names inducing point m as the picture does.
func Letter(m int) string { return string(letter(m)) }

// inducingLayout is an Inducing, measured.
type inducingLayout struct {
	Inducing
	axes.Plane
	notFinite int
}

// Render draws the plane, and below it the facts, as w x h cells.
func (p Inducing) Render(style canvas.Style, w, h int) []string {
	l := &inducingLayout{Inducing: p}
	if !l.measure() {
		return canvas.Empty(style, w, h, "no inducing points yet")
	}
	if w < 1 || h < 1 {
		return nil
	}
	facts := p.Facts[:min(len(p.Facts), max(h-factsHeight, 0))]
	lines := l.Chart(style, w, h-len(facts), l.draw, l.legend)
	if n := len(facts); n > 0 {
		cv := canvas.New(style, w, n)
		for y, line := range facts {
			canvas.DrawLegend(cv, 0, y, w, factParts(style, line))
		}
		lines = append(lines, cv.Lines()...)
	}
	return lines
}

// measure fits the axes to all inputs, so that they stay when another one is chosen; it
// reports whether there is anything to draw.
func (l *inducingLayout) measure() bool {
	x := axes.NewExtent()
	y := axes.NewExtent()
	l.each(func(p axes.XY) {
		if !number.Finite(p.X) || !number.Finite(p.Y) {
			l.notFinite++
			return
		}
		x.Add(p.X)
		y.Add(p.Y)
	})
	if x.N == 0 || len(l.Inputs) == 0 {
		return false
	}
	l.Chosen = min(max(l.Chosen, 0), len(l.Inputs)-1)
	l.Plane = axes.Plane{
		X:     axes.Fit(axes.Linear, x, false),
		Y:     axes.Fit(axes.Linear, y, false),
		XName: l.Inducing.XName,
		YName: l.Inducing.YName,
	}
	l.X.Pad(0.03)
	l.Y.Pad(0.03)
	return true
}

// each visits all points.
func (l *inducingLayout) each(visit func(axes.XY)) {
	for _, p := range l.Seen {
		visit(p)
	}
	for _, in := range l.Inputs {
		visit(in.At)
		for _, z := range in.Z {
			visit(z)
		}
	}
}

// draw draws the data, the inducing points of the other inputs in their colours, and
// over them those of the chosen one.
func (l *inducingLayout) draw(cv *canvas.Canvas) {
	put := func(p axes.XY, r rune, ink canvas.Ink) {
		if number.Finite(p.X) && number.Finite(p.Y) {
			cv.Put(l.Col(p.X, cv), l.Row(p.Y, cv), r, ink)
		}
	}
	for _, p := range l.Seen {
		put(p, '·', canvas.Ink{FG: cv.Style.Faint()})
	}
	for i, in := range l.Inputs {
		for m, z := range in.Z {
			if i != l.Chosen {
				put(z, '+', canvas.Ink{FG: cv.Style.Tint(cv.Style.RunColor(m), 0.4)})
			}
		}
	}
	chosen := l.Inputs[l.Chosen]
	for m, z := range chosen.Z {
		put(z, letter(m), canvas.Ink{FG: cv.Style.RunColor(m), Bold: true})
	}
	put(chosen.At, '★', canvas.Ink{FG: cv.Style.Good(), Bold: true})
}

// legend says which input it is.
func (l *inducingLayout) legend(style canvas.Style) []canvas.Part {
	dim := canvas.Ink{FG: style.Dim()}
	which := "input " + strconv.Itoa(l.Chosen+1)
	star := canvas.Text("★ ", canvas.Ink{FG: style.Good(), Bold: true})
	parts := []canvas.Part{{Variants: [][]canvas.Span{
		{star, canvas.Plain(which + " of " + strconv.Itoa(len(l.Inputs)))}, {star, canvas.Plain(which)},
	}, Keep: 3}}
	if m := len(l.Inputs[l.Chosen].Z); m > 0 {
		letters := Letter(0) + "–" + Letter(m-1)
		parts = append(parts, canvas.Note(2, dim, letters+" its inducing points", letters+" its Z", letters))
	}
	parts = append(parts, canvas.Note(0, dim, "+ those of the others", "+ others", ""))
	if len(l.Seen) > 0 {
		parts = append(parts, canvas.Note(1, dim, "· what is seen of the data", "· data", ""))
	}
	return append(parts, axes.LeftOut(style, 0, l.notFinite)...)
}

// factParts are the entries of a line of facts, of which the first are kept longest.
func factParts(style canvas.Style, line []Fact) (parts []canvas.Part) {
	for i, f := range line {
		name := canvas.Text(f.Name+" ", canvas.Ink{FG: style.Dim()})
		value := canvas.Plain(f.Value)
		if f.Wrong {
			value = canvas.Text(f.Value, canvas.Ink{FG: style.Warn(), Bold: true})
		}
		if f.Value == "" {
			name.Text = f.Name
		}
		parts = append(parts, canvas.Part{Variants: [][]canvas.Span{{name, value}, nil}, Keep: len(line) - i})
	}
	return parts
}
