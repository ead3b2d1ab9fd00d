package dgp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg/vec"
)

// Marginalisation by sampling, as compared by Lindinger et al., 2020, Fig. 2: all inducing outputs
// are drawn once per sample and shared by all points. Given the inducing outputs, the layers are
// independent. With chains, the inducing outputs are the current state of a chain in training and
// kept samples in predictions.

// sampleInducing records v = mu + L_S eps for every GP and sample, one [R][M] block per GP.
func (g *graph) sampleInducing() {
	p := g.post
	inputs := []*autodiff.Node{p.factor}
	for _, layer := range p.layers {
		inputs = append(inputs, layer.mu)
	}
	out := g.tape.Output(1, g.r, p.outputs(), inputs...)
	g.inducing = g.tape.Record(out, func() error {
		g.drawing.Wait()
		for i, row := range p.rows {
			v := g.samplesOf(out.Value, i)
			for r := range g.r {
				copy(v.Data[r*v.Cols:(r+1)*v.Cols], p.layers[p.layer[i]].mu.Row(p.position(i)))
			}
			for _, j := range row {
				blas64.Gemm(blas.NoTrans, blas.Trans, 1,
					g.samplesOf(g.epsInducing.Value, j), p.factorOf(i, j), 1, v)
			}
		}
		return nil
	}, func() {
		for i, row := range p.rows {
			d := g.samplesOf(out.Grad(), i)
			dmu := vector{p.layers[p.layer[i]].mu, p.position(i)}.grad()
			for r := range g.r {
				addTo(dmu, d.Data[r*d.Cols:(r+1)*d.Cols])
			}
			for _, j := range row {
				blas64.Gemm(blas.Trans, blas.NoTrans, 1, d, g.samplesOf(g.epsInducing.Value, j), 1,
					p.factorSpan(i, j).view(p.factor.Grad()))
			}
		}
	})
}

// samplesOf returns a view of the samples of GP i, [R][M_i], in the samples of all inducing
// outputs.
func (g *graph) samplesOf(all []float64, i int) blas64.General {
	return general(all[g.post.starts[i]*g.r:], g.r, g.post.points(i))
}

// setInducing sets the inducing outputs of sample r, stacked by GP.
func (g *graph) setInducing(r int, v []float64) {
	for i := range g.post.rows {
		samples := g.samplesOf(g.inducing.Value, i)
		copy(samples.Data[r*samples.Cols:(r+1)*samples.Cols], v[g.post.starts[i]:])
	}
}

// sampledLayer records layer l given the inducing outputs of every sample.
func (g *graph) sampledLayer(l int, input *autodiff.Node) {
	nodes := g.post.layers[l]
	kuf := nodes.kernel.RecordKuf(g.tape, nodes.z, input)
	g.tape.Section(partSolves.section(l))
	a := g.tape.SolveLower(nodes.root, kuf)
	g.tape.Section(partSamples.section(l))
	g.independentLayer(l, g.meanGiven(l, input, a), g.recordResidual(l, a))
}

// givenLayer records layer l given inducing outputs that all samples share.
func (g *graph) givenLayer(l int, input *autodiff.Node) {
	g.tape.Section(partMarginals.section(l))
	layerMoments := g.recordMoments(l, input)
	g.columns = append(g.columns, layerMoments.kernelColumns)
	g.independentLayer(l, layerMoments.mean, layerMoments.residual)
}

// independentLayer records the samples of a hidden layer l, or the moments of the last layer. The
// GPs are independent, with the residual as their variance.
func (g *graph) independentLayer(l int, mean, residual *autodiff.Node) {
	g.mean = append(g.mean, mean)
	g.residual = append(g.residual, residual)
	if l == len(g.post.arch.Layers)-1 {
		g.outMean = mean
		g.outVar = g.repeatVariance(l, residual)
		return
	}
	eps := g.eps[l]
	g.tape.Section(partSamples.section(l))
	out := g.tape.Output(1, mean.Rows, eps.Cols, mean, residual)
	sd := make([]float64, residual.Cols)
	matrix := g.matrixOf(g.post.first[l])
	prior := g.diagonals[l].Value
	g.f = append(g.f, g.tape.Record(out, func() error {
		for n, v := range residual.Value {
			if !(v > 0) {
				lifted, err := g.lift(v, prior[n%len(prior)], matrix)
				if err != nil {
					return err
				}
				v = lifted
			}
			sd[n] = math.Sqrt(v)
		}
		for t := range out.Rows {
			repeat(out.Row(t), mean.Row(t))
			for start := 0; start < out.Cols; start += len(sd) {
				end := start + len(sd)
				vec.AddMul(out.Row(t)[start:end], sd, eps.Row(t)[start:end])
			}
		}
		return nil
	}, func() {
		d := out.Grad()
		for t := range out.Rows {
			addRepeats(vector{mean, t}.grad(), vector{out, t}.grad())
		}
		if !residual.Wanted() {
			return
		}
		dres := residual.Grad()
		for start := 0; start < len(d); start += len(sd) {
			e := eps.Value[start : start+len(sd)]
			for n, v := range d[start : start+len(sd)] {
				dres[n] += v * e[n] / (2 * sd[n])
			}
		}
	}))
}

// meanGiven records the mean of layer l given its kernel columns a and the sampled inducing outputs,
// [1][T_l][R B].
func (g *graph) meanGiven(l int, input, a *autodiff.Node) *autodiff.Node {
	p, m := g.post, g.post.inducing[l]
	width, first := p.widths[l], p.first[l]
	out := g.tape.Output(1, width, g.r*g.b, g.inducing, a, input)
	// Views of sample r: the layer's inducing outputs, kernel columns and columns of out.
	outputs := func(data []float64, r int) blas64.General {
		return blas64.General{Rows: width, Cols: m, Stride: g.r * m, Data: data[p.starts[first]*g.r+r*m:]}
	}
	columns := func(data []float64, r int) blas64.General {
		return blas64.General{Rows: m, Cols: g.b, Stride: a.Cols, Data: data[r*g.b%a.Cols:]}
	}
	output := func(data []float64, r int) blas64.General {
		return blas64.General{Rows: width, Cols: g.b, Stride: g.r * g.b, Data: data[r*g.b:]}
	}
	return g.tape.Record(out, func() error {
		for r := 0; r < g.r; r++ {
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, outputs(g.inducing.Value, r),
				columns(a.Value, r), 0, output(out.Value, r))
			from := r * g.b % input.Cols
			g.addMeanFunction(l, output(out.Value, r), tileOf(input.Value, input, from, from+g.b))
		}
		return nil
	}, func() {
		d := out.Grad()
		dv := g.inducing.Grad()
		for r := 0; r < g.r; r++ {
			blas64.Gemm(blas.NoTrans, blas.Trans, 1, output(d, r), columns(a.Value, r), 1, outputs(dv, r))
			if a.Wanted() {
				blas64.Gemm(blas.Trans, blas.NoTrans, 1, outputs(g.inducing.Value, r),
					output(d, r), 1, columns(a.Grad(), r))
			}
		}
		if input.Wanted() {
			g.meanFunctionBackward(l, general(d, width, out.Cols),
				general(input.Grad(), input.Rows, input.Cols))
		}
	})
}

// repeatVariance records the residual prior variance, repeated for each GP of layer l, [1][T_l][R
// B].
func (g *graph) repeatVariance(l int, residual *autodiff.Node) *autodiff.Node {
	out := g.tape.Output(1, g.post.widths[l], g.r*g.b, residual)
	return g.tape.Record(out, func() error {
		repeat(out.Value, residual.Value)
		return nil
	}, func() { addRepeats(residual.Grad(), out.Grad()) })
}

// recordResidual records the residual variance of layer l as a separate operation.
func (g *graph) recordResidual(l int, a *autodiff.Node) *autodiff.Node {
	r := g.newResidualVariance(l, []*autodiff.Node{a}, a.Cols)
	var da []float64
	var beta float64
	forward := g.inTiles(a.Cols, func(start, end int) {
		columns := a.Value[start:]
		vec.SumProducts(r.out.Value[start:end], columns, a.Cols, columns, a.Cols, a.Rows)
		r.fromSquares(start, end)
	})
	backward := g.inTiles(a.Cols, func(start, end int) {
		set := vec.AddMul
		if beta == 0 {
			set = vec.Mul
		}
		for at := start; at < a.Len(); at += a.Cols {
			set(da[at:at+end-start], a.Value[at:at+end-start], r.double[start:end])
		}
	})
	return g.tape.Record(r.out, func() error {
		forward()
		return nil
	}, func() {
		r.prepare()
		da, beta = a.GradBeta()
		backward()
	})
}
