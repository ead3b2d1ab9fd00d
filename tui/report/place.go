package report

import (
	"fmt"
	"strings"
	"time"

	"dgplab/session/sweep"
	"dgplab/viz/canvas"
)

// Place returns the place of a run on Slurm with its time limits.
func Place(p *sweep.Placement) string {
	text := string(p.Place)
	if p.Timeouts > 0 {
		text += fmt.Sprintf(" (%d of %d)", min(p.Timeouts, p.Most), p.Most)
	}
	return text
}

// Places counts the runs of a sweep on Slurm by their places.
func Places(p *sweep.Placements) string {
	var parts []string
	for _, place := range sweep.Places() {
		if n := p.Count(place); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", Grouped(n), place))
		}
	}
	return strings.Join(parts, ", ")
}

// PlaceProgress returns the steps of a run on Slurm and, if it is running, its speed and the time that it
// still takes.
func PlaceProgress(c *sweep.CellState, p *sweep.Placement) (steps, rate, left string) {
	if c.Steps > 0 {
		steps = Grouped(c.Step) + "/" + Grouped(c.Steps)
	}
	speed := c.Speed()
	if p.Place != sweep.PlaceRunning || speed <= 0 {
		return steps, "", ""
	}
	needed := time.Duration(float64(c.Steps-c.Step) / speed * float64(time.Second))
	return steps, canvas.Number(speed), canvas.Duration(needed)
}
