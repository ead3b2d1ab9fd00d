package session

import (
	"math"
	"slices"

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

// schedule decides when diagnostics are due, so that their cost stays small.
// Times are seconds of training.
type schedule struct {
	next  float64
	spent float64
}

func (s *schedule) due(now float64) bool { return now >= s.next }

// done notes diagnostics at a time and what they cost.
func (s *schedule) done(now, cost float64) {
	s.spent += cost
	s.next = now + math.Max(diagnosePause, costFactor*cost)
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
	t.schedule.done(t.progress.Seconds, d.Seconds)
	t.diagnostics = d
	t.watcher.look(d)
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

// keepDiagnostics writes the last diagnostics into the run directory, unless they
// are there. A run goes on when they cannot be written.
func (t *trainer) keepDiagnostics() {
	d := t.diagnostics
	if d == nil || d == t.stored {
		return
	}
	if err := t.files.SaveDiagnostics(d); err != nil {
		t.warn("diagnostics could not be written: %v", err)
		return
	}
	t.stored = d
}
