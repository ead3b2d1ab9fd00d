package session

import (
	"math"
	"slices"
	"time"

	"dgplab/models"
	"dgplab/session/rundir"
)

const (
	// mapCells is the side of the covariance map, enough for a whole screen.
	mapCells = 256
	// diagnosePause is the least training time between diagnostics, in seconds,
	// and costFactor that time in units of what the last ones cost: they take less
	// than 1/100 of the time of training.
	diagnosePause = 2.0
	costFactor    = 100
)

// inside is what was seen when the trainer looked into the model, and when it does
// so again: the cost stays small. Times are seconds of training.
type inside struct {
	latest *rundir.Diagnostics // nil until first made
	next   float64
	spent  float64              // by all diagnostics
	clock  func() time.Duration // of the steps that are timed by part, see timeStep
}

func (i *inside) due(now float64) bool { return now >= i.next }

// take keeps diagnostics that were made at a time.
func (i *inside) take(d *rundir.Diagnostics, now float64) {
	i.latest = d
	i.spent += d.Seconds
	i.next = now + math.Max(diagnosePause, costFactor*d.Seconds)
}

// diagnose looks into the model, if it lets itself be looked into. What fails is
// a warning; training goes on.
func (t *trainer) diagnose() {
	begin := t.env.now()
	d := &rundir.Diagnostics{Step: t.progress.Step}
	if m, ok := t.model.(models.JointCovariance); ok {
		covariance, err := m.Covariance(mapCells)
		if err != nil {
			t.warn("no covariance map: %v", err)
		} else {
			d.Covariance = cloneMap(covariance)
		}
	}
	if m, ok := t.model.(models.LayerSampler); ok {
		// The seed is always the same: curves then move with the model only.
		layers, err := m.SampleLayers(derive(t.Seed, purposeLayers, 0))
		if err != nil {
			t.warn("no samples of the layers: %v", err)
		} else {
			d.Layers = cloneLayers(layers)
		}
	}
	if m, ok := t.model.(models.Health); ok {
		report, err := m.Health()
		if err != nil {
			t.warn("no report on health: %v", err)
		} else {
			d.Health = &rundir.Health{Step: d.Step, HealthReport: cloneHealth(*report)}
		}
	}
	d.Seconds = t.env.now().Sub(begin).Seconds()
	t.inside.take(d, t.progress.Seconds)
	t.history.watcher.look(d)
}

// The clones make sure that a snapshot never aliases a model's buffers.

func cloneMap(m *models.BlockMap) *models.BlockMap {
	if m == nil {
		return nil
	}
	c := *m
	c.GPs, c.Log10 = slices.Clone(m.GPs), slices.Clone(m.Log10)
	return &c
}

func cloneLayers(layers []models.LayerSamples) []models.LayerSamples {
	out := slices.Clone(layers)
	for i := range out {
		l := &out[i]
		l.Lengthscales, l.Grid = slices.Clone(l.Lengthscales), slices.Clone(l.Grid)
		l.Correlation = cloneRows(l.Correlation)
		l.GPs = slices.Clone(l.GPs)
		for j := range l.GPs {
			l.GPs[j].Histogram = slices.Clone(l.GPs[j].Histogram)
			l.GPs[j].Curves = cloneRows(l.GPs[j].Curves)
		}
	}
	return out
}

func cloneRows(rows [][]float64) [][]float64 {
	out := slices.Clone(rows)
	for i := range out {
		out[i] = slices.Clone(out[i])
	}
	return out
}
