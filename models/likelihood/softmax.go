package likelihood

import (
	"math"
	"runtime"
	"slices"

	"dgplab/datasets/task"
	"dgplab/models/linalg/vec"
	"dgplab/models/predictive"
)

// softmaxDraws is the number of draws for expectations of Softmax.
const softmaxDraws = 64

var softmax = Declaration{
	Name: "softmax", Formula: "exp f_y / sum_k exp f_k", Use: "more than two classes",
	Tasks: []task.Task{task.Multiclass},
	New:   func(s Setup) Likelihood { return NewSoftmax(s.Classes) },
}

// Softmax gives class k the probability exp f_k / sum_j exp f_j. Expectations are means over S
// draws f_k = mean_k + sqrt(vr_k) z_sk with the same z in every row and step, so they are smooth
// functions with exact derivatives.
type Softmax struct {
	latents
	z []float64 // [S][K]
}

// NewSoftmax returns the likelihood of k classes. Its draws are lattice points in the unit cube,
// transformed by the inverse normal distribution function, and their mirror images. The lattice
// consists of multiples of the powers of g with g^-(k+1) = g + 1 (Roberts, "The Unreasonable
// Effectiveness of Quasirandom Sequences", 2018; in one dimension the golden ratio).
func NewSoftmax(k int) Softmax {
	root := 2.0
	for range 60 {
		root = math.Pow(1+root, 1/float64(k+1))
	}
	var z []float64
	for s := range softmaxDraws / 2 {
		for j := range k {
			_, u := math.Modf(0.5 + float64(s+1)*math.Pow(root, -float64(j+1)))
			z = append(z, math.Sqrt2*math.Erfinv(2*u-1))
		}
	}
	for _, v := range z { // range evaluates z before the loop appends to it
		z = append(z, -v)
	}
	return Softmax{latents(k), z}
}

// VariationalExpectations implements Likelihood.
func (l Softmax) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	l.rows(terms, dMean, dVar, dParams, y, func(i, class int, dMean, dVar []float64) float64 {
		var sum float64
		count := l.draws(l.row(mean, i), l.row(vr, i), func(log, p, factors []float64) {
			sum += log[class]
			l.add(1, class, p, factors, dMean, dVar)
		})
		scaleBy(1/count, dMean, dVar)
		return sum / count
	})
}

// LogExpectation implements Likelihood. Draws are weighted by the probability of the class,
// relative to the largest probability so far.
func (l Softmax) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	l.rows(terms, dMean, dVar, dParams, y, func(i, class int, dMean, dVar []float64) float64 {
		top, sum := math.Inf(-1), 0.0
		count := l.draws(l.row(mean, i), l.row(vr, i), func(log, p, factors []float64) {
			if log[class] > top {
				shrink := math.Exp(top - log[class])
				scaleBy(shrink, dMean, dVar)
				sum, top = sum*shrink, log[class]
			}
			w := math.Exp(log[class] - top)
			sum += w
			l.add(w, class, p, factors, dMean, dVar)
		})
		scaleBy(1/sum, dMean, dVar)
		return top + math.Log(sum/count)
	})
}

// add adds w times the derivatives of log p_class. factors holds the derivatives of the draw with
// respect to the variances.
func (l Softmax) add(w float64, class int, p, factors, dMean, dVar []float64) {
	for k := range p {
		d := -p[k]
		if k == class {
			d++
		}
		dMean[k] += w * d
		dVar[k] += w * d * factors[k]
	}
}

// softmaxScratch is the workspace of draws; softmaxScratches holds workspaces for reuse.
type softmaxScratch struct{ numbers []float64 }

var softmaxScratches = vec.NewFreeList[softmaxScratch](4 * runtime.NumCPU())

// draws calls visit for each draw with the logarithms of the probabilities of all classes, the
// probabilities, and the derivatives of the draw with respect to the variances, [K] each. It
// returns the number of draws.
func (l Softmax) draws(mean, vr []float64, visit func(log, p, factors []float64)) float64 {
	k := int(l.latents)
	scratch := softmaxScratches.Get()
	defer softmaxScratches.Put(scratch)
	scratch.numbers = resize(scratch.numbers, 3*k)
	numbers := scratch.numbers
	log := l.row(numbers, 0)
	p := l.row(numbers, 1)
	factors := l.row(numbers, 2)
	for z := l.z; len(z) > 0; z = z[k:] {
		for j := range k {
			sd := deviation(vr[j])
			log[j], factors[j] = mean[j]+sd*z[j], 0.5*z[j]/sd
		}
		LogSoftmax(log, p, log)
		visit(log, p, factors)
	}
	return float64(len(l.z) / k)
}

// LogSoftmax sets p [K] to the probabilities exp f_k / sum_j exp f_j, and log [K] to their
// logarithms. log may alias f.
func LogSoftmax(log, p, f []float64) {
	top := math.Inf(-1)
	for _, v := range f {
		top = math.Max(top, v)
	}
	var sum float64
	for j, v := range f {
		p[j] = math.Exp(v - top)
		sum += p[j]
	}
	total := math.Log(sum)
	for j, v := range f {
		log[j] = v - top - total
		p[j] /= sum
	}
}

// LogProbabilities implements Classes. It is exact for latent functions without variance.
func (l Softmax) LogProbabilities(dst, mean, vr []float64) {
	if slices.Max(vr) == 0 {
		LogSoftmax(dst, make([]float64, len(dst)), mean)
		return
	}
	unused := make([]float64, 2*int(l.latents))
	term := make([]float64, 1)
	for class := range dst {
		l.LogExpectation(term, l.row(unused, 0), l.row(unused, 1), nil,
			[]float64{float64(class)}, mean, vr, nil)
		dst[class] = term[0]
	}
}

// Observe implements Likelihood.
func (l Softmax) Observe(latent *predictive.Gaussians, _ []float64) predictive.Predictive {
	return predictive.NewClasses(latent, l)
}
