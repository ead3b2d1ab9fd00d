package layer

import (
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// invert sets p to the inverses of the lower Cholesky factors of symmetric matrices. k holds their
// entries below the diagonal, packed; all diagonal entries are equal to diagonal. scratch has m+1
// rows. invert reports whether all matrices were positive definite; lanes whose matrix was not are
// invalid.
//
// Row i of the factor L is K_i P^T, with P the inverse so far, and row i of P is -L_i P / L_ii. All
// operations are products except one square root per row, whose reciprocal is P_ii.
func invert(p square, k lanes, diagonal float64, scratch lanes) bool {
	ok := true
	pivot := scratch.row(p.m)
	for i := range p.m {
		for j := range i {
			vec.SumProducts(scratch.row(j), k.from(pair(i, 0)).data, k.stride, p.rest(j, 0), p.stride, j+1)
		}
		vec.SumProducts(pivot, scratch.data, scratch.stride, scratch.data, scratch.stride, i)
		for g, squares := range pivot {
			v := diagonal - squares
			pivot[g] = v
			ok = ok && v > 0
		}
		inverse := p.at(i, i)
		vec.InverseRoots(inverse, pivot)
		vec.Scaled(pivot, inverse, -1)
		for j := range i {
			row := p.at(i, j)
			vec.SumProducts(row, scratch.from(j).data, scratch.stride, p.rest(j, j), p.down(), i-j)
			vec.Mul(row, row, pivot)
		}
	}
	return ok
}

// rescue factorises the lanes for which invert failed again, one at a time and with jitter. It
// returns the number of jitter increases, or the error of the first lane for which jitter does not
// suffice.
func rescue(p square, k lanes, diagonal float64, matrix string) (rescues int, err error) {
	m := p.m
	a := make([]float64, m*m)
	l := make([]float64, m*m)
	for lane := range p.width {
		if good(p, lane) {
			continue
		}
		for i := range m {
			for j := range i {
				a[i*m+j] = k.row(pair(i, j))[lane]
			}
			a[i*m+i] = diagonal
		}
		n, err := linalg.Cholesky(l, a, m, matrix)
		if err != nil {
			return rescues, err
		}
		rescues += n
		for i := range m {
			for j := range i {
				var sum float64
				for c := j; c < i; c++ {
					sum += l[i*m+c] * p.at(c, j)[lane]
				}
				p.at(i, j)[lane] = -sum / l[i*m+i]
			}
			p.at(i, i)[lane] = 1 / l[i*m+i]
		}
	}
	return rescues, nil
}

// good reports whether a lane of p holds the inverse of a factor: finite positive numbers on the
// diagonal.
func good(p square, lane int) bool {
	for i := range p.m {
		if v := p.at(i, i)[lane]; !(v > 0) || v-v != 0 {
			return false
		}
	}
	return true
}

// invertBackward converts dP, the gradient of inverse factors p, to the gradient of the factorised
// matrices. It sets dK to the gradient of the entries below the diagonal, each standing for two
// equal entries, and adds the gradient of the diagonal to dDiagonal. h, row and dP are overwritten.
//
// With P = L^-1 the matrices L^T dL and -dP P^T have the same lower part, called H after its
// diagonal is halved. By Murray, "Differentiation of the Cholesky decomposition", 2016, eq. 10, the
// gradient is the symmetric part of P^T H P.
func invertBackward(dK lanes, dDiagonal []float64, dP, p, h square, row []float64) {
	m := p.m
	for i := range m { // minus H
		for j := range i + 1 {
			vec.SumProducts(h.at(i, j), dP.rest(i, 0), dP.stride, p.rest(j, 0), p.stride, j+1)
		}
		vec.Scaled(h.at(i, i), h.at(i, i), 0.5)
	}
	for i := range m { // replace dP by H P
		for j := range i + 1 {
			vec.SumProducts(dP.at(i, j), h.rest(i, j), h.stride, p.rest(j, j), p.down(), i-j+1)
		}
	}
	for i := range m {
		vec.SumProducts(row, p.rest(i, i), p.down(), dP.rest(i, i), dP.down(), m-i)
		vec.AddScaled(dDiagonal, row, -1)
		for j := range i {
			entry := dK.row(pair(i, j))
			vec.SumProducts(entry, p.rest(i, i), p.down(), dP.rest(i, j), dP.down(), m-i)
			vec.AddProducts(entry, p.rest(i, j), p.down(), dP.rest(i, i), dP.down(), m-i)
		}
	}
	below := dK.block(pair(m, 0))
	vec.Scaled(below, below, -1)
}
