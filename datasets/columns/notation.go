package columns

import "fmt"

// Decide returns how the numbers of a table are written, from what all of them show
// together, the sign that separates cells and what a person said. A file that tells
// thousands from decimals nowhere is a question: then unsure is MaybePoint or MaybeComma.
//
// Decimal commas and points that exclude each other are taken as points; what does not
// fit is no number then.
func Decide(shown Shape, delimiter rune, c Choices) (n Notation, unsure Shape) {
	switch {
	case c.First():
		return Notation{Decimal: '.', Strict: true}, 0
	case c.Decimal != "" || c.Thousands == Comma || c.Thousands == Point:
		return chosen(shown, c), 0
	}
	n = Plain
	switch points, commas := shown&(PointDecimal|CommaGroup) != 0, shown&(CommaDecimal|PointGroup) != 0; {
	case commas && !points:
		n.Decimal = ','
		n.group(shown&(PointGroup|MaybePoint) != 0, '.', c)
	case points:
		n.group(shown&(CommaGroup|MaybeComma) != 0, ',', c)
	case shown&MaybeComma != 0:
		if c.Thousands != "" { // not the comma
			n.Decimal = ','
			return n, 0
		}
		return n, MaybeComma
	case shown&MaybePoint != 0 && delimiter != ',' && c.Thousands == "":
		return n, MaybePoint
	}
	return n, 0
}

// String says how numbers are written: "decimal comma, points between thousands".
func (n Notation) String() string {
	names := map[byte]string{'.': "point", ',': "comma", ' ': "blank", '\'': "apostrophe"}
	text := "decimal " + names[n.Decimal]
	if name := names[n.Group]; name != "" {
		text += ", " + name + "s between thousands"
	}
	return text
}

// group takes a sign that separates thousands, if there is one, unless a person said otherwise.
func (n *Notation) group(there bool, sign byte, c Choices) {
	if there && c.Thousands == "" {
		n.Group = sign
	}
}

// chosen is the notation that a person said.
func chosen(shown Shape, c Choices) Notation {
	n := Plain
	if c.Decimal == Comma || c.Thousands == Point {
		n.Decimal = ','
		n.group(shown&(PointGroup|MaybePoint) != 0, '.', c)
	} else {
		n.group(shown&(CommaGroup|MaybeComma) != 0, ',', c)
	}
	switch c.Thousands {
	case Point:
		n.Group = '.'
	case Comma:
		n.Group = ','
	case None:
		n.Strict = true
	}
	return n
}

// NotationQuestion is what has to be answered where Decide is unsure of a cell.
func NotationQuestion(unsure Shape, cell string) *Question {
	sign, n := Point, Plain
	if unsure == MaybeComma {
		sign, n.Decimal = Comma, ','
	}
	v, _, _, _ := n.Parse(cell)
	return &Question{
		Text: fmt.Sprintf("%q may be %v or %.0f", cell, v, 1000*v),
		Answers: []Answer{
			{Label: "decimal " + sign, Item: "decimal=" + sign},
			{Label: "thousands", Item: "thousands=" + sign},
		},
	}
}
