package rundir

import (
	"dgplab/models/view"
)

// diagnostics1 is diagnostics.json in format 1: all blocks of a covariance have the same size, and
// the moments of a GP form one list.
type diagnostics1 struct {
	Step       int    `json:"step"`
	Seconds    Number `json:"seconds"`
	Covariance *struct {
		GPs   []int          `json:"gps"`
		M     int            `json:"m"`
		Cells int            `json:"cells"`
		Log10 view.Symmetric `json:"log10"`
	} `json:"covariance"`
	Layers []struct {
		view.Units
		GPs []struct {
			view.Unit
			Moments view.Rounded `json:"moments"` // mean, SD, minimum, maximum, share
		} `json:"gps"`
	} `json:"layers"`
	Health *view.Matrices `json:"health"`
}

// convert converts the diagnostics to the current format.
func (old *diagnostics1) convert() *Diagnostics {
	d := &Diagnostics{Step: old.Step, Seconds: old.Seconds}
	d.Matrices = old.Health
	if c := old.Covariance; c != nil {
		d.Blocks = &view.Blocks{Log10: c.Log10}
		for layer, gps := range c.GPs {
			// Blocks.Check reports surplus GPs.
			for i := range min(gps, len(c.Log10)) {
				d.Blocks.Parts = append(d.Blocks.Parts, view.Part{
					Group: layer,
					Index: i,
					Size:  c.M,
					Cells: c.Cells,
				})
			}
		}
	}
	for _, layer := range old.Layers {
		units := layer.Units
		for _, gp := range layer.GPs {
			unit := gp.Unit
			if m := gp.Moments; len(m) == 5 {
				unit.Mean = Number(m[0])
				unit.SD = Number(m[1])
				unit.Min = Number(m[2])
				unit.Max = Number(m[3])
				unit.Share = Number(m[4])
			}
			units.Units = append(units.Units, unit)
		}
		d.Units = append(d.Units, units)
	}
	return d
}
