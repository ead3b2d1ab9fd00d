// Package kernel evaluates covariance functions, alone or combined by sums and products, and their
// gradients with respect to parameters and inputs.
//
//	Function    one covariance function of two points: its parameters, its value, its gradient
//	functions   the list of all functions, one file each
//	Kernel      an expression: functions on some of the columns of the inputs, sums and products;
//	            or one expression for each GP of a layer
//	Covariance  a kernel with its parameters on a tape
//
// A Function depends only on two points and its parameters, not on tapes, matrices or other
// functions. A Covariance evaluates its expression row by row, for a tile of points at a time, as
// one operation of the tape. A forward sweep through the tree computes the values. A backward sweep
// computes the gradient of the value of each function, including the other factors of its products;
// it does not divide by factors, because they may be zero. An expression that is a single
// Stationary function of all columns uses the assembly of package vec instead (stationary.go,
// backward.go, record.go, distances.go).
//
// Only stationary kernels have a constant k(x, x); use [Covariance.RecordDiagonal] in general.
// White noise is part of K_MM and of k(x, x) but not of the covariance of two sets of points.
//
// The package also computes expectations of the squared exponential kernel under Gaussian inputs
// (psi.go), and draws functions from the priors of deep GPs (prior.go).
package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// Kernel is an expression of covariance functions. Parse returns one without columns; Bind resolves
// its columns for given inputs. A Kernel is immutable.
type Kernel struct {
	text string
	// source is the whole text of the layer, and offset is the position in it to which positions of columns
	// are relative.
	source string
	offset int
	root   *node
	leaves []*leaf // in the order of the text
	inputs int     // D, or 0 before Bind
	// each holds the kernel of each GP if they differ. It is nil for a single expression.
	each []Kernel
}

// Of returns the kernel of GP t.
func (k Kernel) Of(t int) Kernel {
	if k.each == nil {
		return k
	}
	return k.each[t]
}

// Fits reports whether the kernel is a single expression or has one for each of the given number of GPs.
func (k Kernel) Fits(gps int) bool { return k.each == nil || len(k.each) == gps }

// node is a function, a sum or a product.
type node struct {
	leaf    *leaf // nil for sums and products
	product bool
	terms   []*node
	index   int // among the nodes of the kernel
}

// leaf is a function on columns of the inputs.
type leaf struct {
	Function
	Description
	// name is unique in the kernel: "rbf", "rbf2". It is empty for a single function of all columns.
	name    string
	columns []column // as written in the expression; empty for all columns
	active  []int    // the columns after Bind
	starts  map[string]float64
	held    map[string]bool // the parameters that keep their starts
	index   int             // among the leaves of the kernel
}

// column is a column as written in the expression.
type column struct {
	name string
	at   int // position in the text
}

// String returns the text of the kernel.
func (k Kernel) String() string { return k.text }

// Bind returns the kernel for d inputs. names holds the names of the columns. It is nil if they
// have no names. It returns a *SyntaxError if a column does not exist.
func (k Kernel) Bind(d int, names []string) (Kernel, error) {
	bound := Kernel{text: k.text, source: k.source, offset: k.offset, inputs: d}
	var err error
	for _, one := range k.each {
		one, err = one.Bind(d, names)
		if err != nil {
			return bound, err
		}
		bound.each = append(bound.each, one)
	}
	if k.each != nil {
		return bound, nil
	}
	bound.root = k.root.clone(func(l *leaf) {
		own := *l
		own.active = nil
		for _, c := range l.columns {
			at, e := c.resolve(d, names)
			if e == "" && slices.Contains(own.active, at) {
				e = fmt.Sprintf("column %s is given twice", c.name)
			}
			if e != "" && err == nil {
				err = &SyntaxError{Text: k.source, At: k.offset + c.at, Want: e}
			}
			own.active = append(own.active, at)
		}
		if len(l.columns) == 0 && l.Columns {
			for c := range d {
				own.active = append(own.active, c)
			}
		}
		bound.leaves = append(bound.leaves, &own)
	}, &bound)
	if len(bound.leaves) == 1 && bound.leaves[0].whole(d) {
		bound.leaves[0].name = ""
	}
	return bound, err
}

// whole reports whether the function has all d columns in order.
func (l *leaf) whole(d int) bool { return len(l.active) == d && slices.IsSorted(l.active) }

// clone returns a copy of the tree whose leaves are the ones that visit appended to k.
func (n *node) clone(visit func(*leaf), k *Kernel) *node {
	out := *n
	out.terms = nil
	if n.leaf != nil {
		visit(n.leaf)
		out.leaf = k.leaves[len(k.leaves)-1]
	}
	for _, term := range n.terms {
		out.terms = append(out.terms, term.clone(visit, k))
	}
	return &out
}

// resolve returns the number of the column, or the reason why there is none.
func (c column) resolve(d int, names []string) (at int, why string) {
	if at := slices.Index(names, c.name); at >= 0 {
		return at, ""
	}
	if _, err := fmt.Sscanf(c.name, "%d", &at); err == nil && fmt.Sprint(at) == c.name && at >= 0 {
		if at < d {
			return at, ""
		}
		return 0, fmt.Sprintf("there is no column %d: columns are 0 to %d", at, d-1)
	}
	if names == nil {
		return 0, fmt.Sprintf("there is no column %q: the columns of a hidden layer have numbers, 0 to %d",
			c.name, d-1)
	}
	return 0, fmt.Sprintf("there is no column %q; columns: %s", c.name, strings.Join(names, ", "))
}

// Stationary returns the assembly for the kernel, if it is a single function of all columns that has
// one.
func (k Kernel) Stationary() (s Stationary, is bool) {
	if len(k.leaves) != 1 {
		return 0, false
	}
	r, is := k.leaves[0].Function.(radial)
	if !is || r.fast == 0 || !k.leaves[0].whole(k.inputs) {
		return 0, false
	}
	return r.fast, true
}

// GivenLengthscale returns the starting lengthscale in the expression if the kernel is a single function
// with one.
func (k Kernel) GivenLengthscale() (length float64, given bool) {
	if len(k.leaves) == 1 {
		length, given = k.leaves[0].starts[lengthscales]
	}
	return length, given
}

// Holds reports whether the expression holds a parameter at its start.
func (k Kernel) Holds() bool {
	return slices.ContainsFunc(k.each, Kernel.Holds) ||
		slices.ContainsFunc(k.leaves, func(l *leaf) bool { return len(l.held) > 0 })
}

// String returns the expression of the node.
func (n *node) String() string {
	if n.leaf != nil {
		return n.leaf.text()
	}
	var parts []string
	for _, term := range n.terms {
		part := term.String()
		if n.product && term.leaf == nil && !term.product {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	if n.product {
		return strings.Join(parts, "*")
	}
	return strings.Join(parts, " + ")
}

// text returns the expression of the function and its columns.
func (l *leaf) text() string {
	var names []string
	for _, c := range l.columns {
		names = append(names, c.name)
	}
	if len(names) == 0 {
		return l.Name
	}
	return l.Name + "(" + strings.Join(names, ",") + ")"
}

// NumParameters returns the number of parameters of a GP with d inputs. The kernel need not be bound.
func (k Kernel) NumParameters(d int, ard bool) (count int) {
	for _, l := range k.leaves {
		columns := len(l.columns)
		if columns == 0 {
			columns = d
		}
		for _, p := range l.Parameters() {
			if p.Each && (ard || p.Name != lengthscales) {
				count += columns
			} else {
				count++
			}
		}
	}
	return count
}
