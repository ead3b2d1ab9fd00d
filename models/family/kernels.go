package family

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"dgplab/models/kernel"
)

// KernelScope tells where a hyperparameter can give different kernels. Scopes can be joined by |.
type KernelScope int

const (
	// PerLayer accepts one kernel for all layers, or one for each, separated by bars.
	PerLayer KernelScope = 1 << iota
	// PerGP accepts one kernel for all GPs of a layer, or one for each, separated by "&".
	PerGP
	// SampledKernel marks the kernel of a family that samples all parameters, so that none can be held.
	SampledKernel
	// OneKernel accepts one kernel for all GPs.
	OneKernel KernelScope = 0
)

// KernelHyperparameter returns the hyperparameter of a kernel.
func KernelHyperparameter(name, help string, scope KernelScope) Hyperparameter {
	h := Hyperparameter{
		Name: name, Section: KernelSection, First: true, Kind: Expression, Default: "rbf",
		Choices: kernel.Names(), Help: help,
		Check: func(text string) error {
			kernels := splitKernels(text)
			if len(kernels) > 1 && scope&PerLayer == 0 {
				return errors.New("want one kernel")
			}
			for _, one := range kernels {
				if len(kernel.Split(one, '&')) > 1 && scope&PerGP == 0 {
					return errors.New("want one kernel for all GPs of a layer, because they share it")
				}
				k, err := kernel.ParseEach(one)
				if err != nil {
					return err
				}
				if k.Holds() && scope&SampledKernel != 0 {
					return errors.New("cannot hold parameters (!), because this family samples them")
				}
			}
			return nil
		},
	}
	if scope&SampledKernel == 0 {
		h.Help += "; variance=1 starts a parameter at 1, variance=1! holds it there"
	}
	if scope&PerLayer != 0 {
		h.Help += "; one for all layers, or one per layer, separated by |"
	}
	switch {
	case scope&PerGP == 0:
	case scope&PerLayer != 0:
		h.Help += "; one for all GPs of a layer, or one per GP, separated by &"
	default:
		h.Help += "; one for all GPs, or one per GP, separated by &"
	}
	return h
}

// splitKernels splits a list of kernels.
func splitKernels(text string) []string { return kernel.Split(text, '|') }

// Kernel returns the kernel of the inputs given by the named hyperparameter.
func (d Data) Kernel(v Values, name string) (kernel.Kernel, error) {
	_, inputs := d.X.Dims()
	list, err := d.Kernels(v, name, []int{inputs})
	if err != nil {
		return kernel.Kernel{}, err
	}
	return list[0], nil
}

// Kernels returns the kernels of layers with the given numbers of inputs.
func (d Data) Kernels(v Values, name string, inputs []int) ([]kernel.Kernel, error) {
	list, err := ParseKernels(v, name, len(inputs))
	if err != nil {
		return nil, err
	}
	return d.BindKernels(name, list, inputs)
}

// ParseKernels returns the kernel of each layer, without columns.
func ParseKernels(v Values, name string, layers int) (list []kernel.Kernel, err error) {
	texts := splitKernels(v.Text(name))
	if len(texts) != 1 && len(texts) != layers {
		return nil, &ValueError{Name: name, Value: v.Text(name),
			Want: fmt.Sprintf("want one kernel, or %d for the layers", layers)}
	}
	for l := range layers {
		k, err := kernel.ParseEach(strings.TrimSpace(texts[l%len(texts)]))
		if err != nil {
			return nil, &ValueError{Name: name, Value: v.Text(name), Want: err.Error()}
		}
		list = append(list, k)
	}
	return list, nil
}

// BindKernels resolves the columns of the kernels of layers with the given numbers of inputs. The
// first layer has the columns of the data.
func (d Data) BindKernels(
	name string, list []kernel.Kernel, inputs []int,
) (bound []kernel.Kernel, err error) {
	for l, k := range list {
		var columns []string
		if l == 0 {
			columns = d.columns(inputs[l])
		}
		k, err = k.Bind(inputs[l], columns)
		if err != nil {
			return nil, &ValueError{Name: name, Value: k.String(), Want: err.Error()}
		}
		bound = append(bound, k)
	}
	return bound, nil
}

// CheckKernels returns an error unless the kernel of each layer is a single expression or has one for each
// GP. widths holds the numbers of GPs.
func CheckKernels(name string, list []kernel.Kernel, widths []int) error {
	for l, k := range list {
		if k.Fits(widths[l]) {
			continue
		}
		want := fmt.Sprintf("want one kernel, or %d for the GPs", widths[l])
		if len(list) > 1 {
			want += fmt.Sprintf(" of layer %d", l+1)
		}
		return &ValueError{Name: name, Value: k.String(), Want: want}
	}
	return nil
}

// columns returns the names of the inputs, or their numbers if they have no names.
func (d Data) columns(n int) []string {
	if len(d.Inputs) == n {
		return d.Inputs
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	return names
}

// KernelParameters returns the number of kernel parameters of one GP of each layer, given the
// number of inputs of each layer.
func KernelParameters(v Values, name string, inputs []int, ard bool) (counts []int, err error) {
	list, err := ParseKernels(v, name, len(inputs))
	for l, k := range list {
		counts = append(counts, k.NumParameters(inputs[l], ard))
	}
	return counts, err
}

// Explain returns the formulas of the functions in the value of an Expression.
func (h Hyperparameter) Explain(text string) (lines []string) {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, e := range kernel.Describe() {
		if h.Kind == Expression && slices.Contains(words, e.Name) {
			lines = append(lines, e.Name+" = "+e.Formula)
		}
	}
	return lines
}
