package rundir

import (
	"fmt"

	"dgplab/models"
)

// How the parts of diagnostics stand in diagnostics.json, and back.

func layersToJSON(layers []models.LayerSamples) []layerJSON {
	var out []layerJSON
	for _, l := range layers {
		layer := layerJSON{Lengthscales: l.Lengthscales, Variance: Number(l.Variance), Grid: l.Grid, Correlation: roundedRows(l.Correlation)}
		for _, g := range l.GPs {
			layer.GPs = append(layer.GPs, gpJSON{
				Moments: rounded{g.Mean, g.SD, g.Min, g.Max, g.Share}, Histogram: g.Histogram,
				Collapsed: g.Collapsed, Curves: roundedRows(g.Curves),
			})
		}
		out = append(out, layer)
	}
	return out
}

func (l layerJSON) read() (models.LayerSamples, error) {
	out := models.LayerSamples{
		Lengthscales: l.Lengthscales, Variance: float64(l.Variance), Grid: l.Grid, Correlation: plainRows(l.Correlation),
	}
	for _, g := range l.GPs {
		if len(g.Moments) != 5 {
			return out, fmt.Errorf("a GP has %d moments, want 5", len(g.Moments))
		}
		out.GPs = append(out.GPs, models.GPSamples{
			Mean: g.Moments[0], SD: g.Moments[1], Min: g.Moments[2], Max: g.Moments[3], Share: g.Moments[4],
			Histogram: g.Histogram, Collapsed: g.Collapsed, Curves: plainRows(g.Curves),
		})
	}
	return out, nil
}

func roundedRows(rows [][]float64) []rounded {
	var out []rounded
	for _, row := range rows {
		out = append(out, row)
	}
	return out
}

func plainRows(rows []rounded) [][]float64 {
	var out [][]float64
	for _, row := range rows {
		out = append(out, row)
	}
	return out
}

func healthToJSON(h *Health) *healthJSON {
	if h == nil {
		return nil
	}
	out := &healthJSON{
		Step: h.Step, KLByLayer: numbers(h.KLByLayer), Effective: numbers(h.Effective),
		ShareByLayer: numbers(h.ShareByLayer), TimedSteps: h.TimedSteps,
	}
	for _, m := range h.Matrices {
		out.Matrices = append(out.Matrices, matrixJSON{
			Name: m.Name, Kind: m.Kind, Layer: m.Layer, GP: m.GP, Condition: Number(m.Condition),
			SmallestPivot: Number(m.SmallestPivot), Jitter: Number(m.Jitter), Rescues: m.Rescues,
		})
	}
	for _, s := range h.Shares {
		out.Shares = append(out.Shares, shareJSON{s.Name, Number(s.Share)})
	}
	return out
}

func (h *healthJSON) read() *Health {
	if h == nil {
		return nil
	}
	out := &Health{Step: h.Step, HealthReport: models.HealthReport{
		KLByLayer: floats(h.KLByLayer), Effective: floats(h.Effective),
		ShareByLayer: floats(h.ShareByLayer), TimedSteps: h.TimedSteps,
	}}
	for _, m := range h.Matrices {
		out.Matrices = append(out.Matrices, models.MatrixHealth{
			Name: m.Name, Kind: m.Kind, Layer: m.Layer, GP: m.GP, Condition: float64(m.Condition),
			SmallestPivot: float64(m.SmallestPivot), Jitter: float64(m.Jitter), Rescues: m.Rescues,
		})
	}
	for _, s := range h.Shares {
		out.Shares = append(out.Shares, models.TimeShare{Name: s.Name, Share: float64(s.Share)})
	}
	return out
}

func numbers(list []float64) []Number {
	var out []Number
	for _, x := range list {
		out = append(out, Number(x))
	}
	return out
}

func floats(list []Number) []float64 {
	var out []float64
	for _, x := range list {
		out = append(out, float64(x))
	}
	return out
}
