package report

import (
	"fmt"
	"strings"
	"time"

	"dgplab/session/sweep"
	"dgplab/viz/canvas"
)

// nodesShown is the maximum number of nodes in the text about tasks.
const nodesShown = 4

// Tasks describes the tasks of a sweep on Slurm in one line.
func Tasks(t *sweep.Tasks) string {
	var parts []string
	if t.Running > 0 {
		nodes := t.Nodes
		more := ""
		if len(nodes) > nodesShown {
			more = fmt.Sprintf(" and %d more", len(nodes)-nodesShown)
			nodes = nodes[:nodesShown]
		}
		on := strings.Join(nodes, ", ") + more
		parts = append(parts, fmt.Sprintf("%s running on %s", Grouped(t.Running), on))
	}
	if t.Pending > 0 {
		why := strings.Join(t.Reasons, "; ")
		parts = append(parts, fmt.Sprintf("%s pending: %s", Grouped(t.Pending), why))
	}
	if parts == nil {
		return "none is pending or running"
	}
	return strings.Join(parts, ", ")
}

// CellProgress returns the steps of a cell and, if it is running, its speed and the time that it still takes.
func CellProgress(c *sweep.CellState) (steps, rate, left string) {
	if c.Steps > 0 {
		steps = Grouped(c.Step) + "/" + Grouped(c.Steps)
	}
	speed := c.Speed()
	if c.Status != sweep.Running || speed <= 0 {
		return steps, "", ""
	}
	needed := time.Duration(float64(c.Steps-c.Step) / speed * float64(time.Second))
	return steps, canvas.Number(speed), canvas.Duration(needed)
}
