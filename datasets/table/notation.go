package table

import "fmt"

// DecideNotation returns the notation of the numbers of a table, given the shapes of all cells, the
// delimiter and the choices of the user. If the file does not show whether a separator marks
// thousands or decimals, unsure is MaybePoint or MaybeComma.
//
// If a file contains both decimal commas and decimal points, the decimal sign is the point, and
// cells with decimal commas are not numbers.
func DecideNotation(shown Shape, delimiter rune, c Choices) (n Notation, unsure Shape) {
	switch {
	case c.Decimal != "" || c.Thousands == Comma || c.Thousands == Point:
		return chosen(shown, c), 0
	}
	n = PlainNotation
	points, commas := shown&(PointDecimal|CommaGroup) != 0, shown&(CommaDecimal|PointGroup) != 0
	switch {
	case commas && !points:
		n.Decimal = ','
		n.group(shown&(PointGroup|MaybePoint) != 0, '.', c)
	case points:
		n.group(shown&(CommaGroup|MaybeComma) != 0, ',', c)
	case shown&MaybeComma != 0:
		if c.Thousands != "" { // thousands are separated by another character
			n.Decimal = ','
			return n, 0
		}
		return n, MaybeComma
	case shown&MaybePoint != 0 && delimiter != ',' && c.Thousands == "":
		return n, MaybePoint
	}
	return n, 0
}

// String describes the notation: "decimal comma, points between thousands".
func (n Notation) String() string {
	names := map[byte]string{'.': "point", ',': "comma", ' ': "blank", '\'': "apostrophe"}
	text := "decimal " + names[n.Decimal]
	if name := names[n.Group]; name != "" {
		text += ", " + name + "s between thousands"
	}
	return text
}

// group sets the thousands separator to sign if it occurs and the user chose no other.
func (n *Notation) group(there bool, sign byte, c Choices) {
	if there && c.Thousands == "" {
		n.Group = sign
	}
}

// chosen returns the notation chosen by the user.
func chosen(shown Shape, c Choices) Notation {
	n := PlainNotation
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

// NotationQuestion returns the question about an ambiguous cell.
func NotationQuestion(unsure Shape, cell string) *Question {
	sign, n := Point, PlainNotation
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
