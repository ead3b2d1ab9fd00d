package pointwise

import (
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// invert sets p, packed, to the inverses of the lower Cholesky factors of the m x m
// matrices with k, packed without their diagonals, below and a number on the diagonal.
// scratch has m+1 rows. It reports whether all were positive definite; the lanes
// of those that were not hold no numbers.
//
// Row i of the factor L is K_i P^T, with P the inverse so far, and row i of P is
// -L_i P / L_ii: products all but for one root, which P_ii is the reciprocal of.
func invert(p, k lanes, m int, diagonal float64, scratch lanes) bool {
	ok := true
	pivot := scratch.row(m)
	for i := range m {
		fill(pivot, diagonal)
		for j := range i {
			l := scratch.row(j)
			vec.Mul(l, k.row(pair(i, 0)), p.row(Packed(j, 0)))
			for c := 1; c <= j; c++ {
				vec.AddMul(l, k.row(pair(i, c)), p.row(Packed(j, c)))
			}
			vec.SubMul(pivot, l, l)
		}
		for _, v := range pivot {
			ok = ok && v > 0
		}
		inverse := p.row(Packed(i, i))
		vec.InverseRoots(inverse, pivot)
		vec.Scaled(pivot, inverse, -1)
		for j := range i {
			row := p.row(Packed(i, j))
			vec.Mul(row, scratch.row(j), p.row(Packed(j, j)))
			for c := j + 1; c < i; c++ {
				vec.AddMul(row, scratch.row(c), p.row(Packed(c, j)))
			}
			vec.Mul(row, row, pivot)
		}
	}
	return ok
}

// rescue inverts again, one after another, the factors of those lanes that invert
// could not: with jitter. It returns the number of rungs of the ladder, or the error
// of the first lane that no jitter helps.
func rescue(p, k lanes, m int, diagonal float64, place string) (rescues int, err error) {
	a, l := make([]float64, m*m), make([]float64, m*m)
	for lane := range p.width {
		if good(p, m, lane) {
			continue
		}
		for i := range m {
			for j := range i {
				a[i*m+j] = k.row(pair(i, j))[lane]
			}
			a[i*m+i] = diagonal
		}
		n, err := linalg.Cholesky(l, a, m, place)
		if err != nil {
			return rescues, err
		}
		rescues += n
		for i := range m {
			for j := range i {
				var sum float64
				for c := j; c < i; c++ {
					sum += l[i*m+c] * p.row(Packed(c, j))[lane]
				}
				p.row(Packed(i, j))[lane] = -sum / l[i*m+i]
			}
			p.row(Packed(i, i))[lane] = 1 / l[i*m+i]
		}
	}
	return rescues, nil
}

// good says whether a lane of p holds the inverse of a factor: positive finite numbers
// on its diagonal.
func good(p lanes, m, lane int) bool {
	for i := range m {
		if v := p.row(Packed(i, i))[lane]; !(v > 0) || v-v != 0 {
			return false
		}
	}
	return true
}

// invertBackward turns dP, the gradient of packed inverse factors p, into that of the
// matrices behind them: dK of the entries below the diagonal, each of which stands
// for two equal ones, and dDiagonal, which the gradients of the diagonal are added
// to. h has as many rows as p and is overwritten.
//
// With P = L^-1 the lower part of L^T dL is that of -dP P^T, and of that Murray,
// "Differentiation of the Cholesky decomposition", 2016, eq. 10, makes P^T H P with
// H the lower part, its diagonal halved. The result is the symmetric part.
func invertBackward(dK lanes, dDiagonal []float64, dP, p, h lanes, m int) {
	for i := range m {
		for j := range i + 1 {
			row := h.row(Packed(i, j))
			vec.Mul(row, dP.row(Packed(i, 0)), p.row(Packed(j, 0)))
			for c := 1; c <= j; c++ {
				vec.AddMul(row, dP.row(Packed(i, c)), p.row(Packed(j, c)))
			}
			scale := -1.0
			if i == j {
				scale = -0.5
			}
			vec.Scaled(row, row, scale)
		}
	}
	// H P takes the place of dP.
	for i := range m {
		for j := range i + 1 {
			row := dP.row(Packed(i, j))
			vec.Mul(row, h.row(Packed(i, j)), p.row(Packed(j, j)))
			for c := j + 1; c <= i; c++ {
				vec.AddMul(row, h.row(Packed(i, c)), p.row(Packed(c, j)))
			}
		}
	}
	for i := range m {
		for c := i; c < m; c++ {
			vec.AddMul(dDiagonal, p.row(Packed(c, i)), dP.row(Packed(c, i)))
		}
		for j := range i {
			row := dK.row(pair(i, j))
			clear(row)
			for c := i; c < m; c++ {
				vec.AddMul(row, p.row(Packed(c, i)), dP.row(Packed(c, j)))
				vec.AddMul(row, p.row(Packed(c, j)), dP.row(Packed(c, i)))
			}
		}
	}
}
