package report

import (
	"fmt"

	"dgplab/session"
	"dgplab/session/rundir"
)

// Remedy returns the settings that shorten a long run of steps of the given duration in seconds. set
// writes a setting as the user can set it.
func Remedy(p *session.Preview, perStep float64, set func(name, value string) string) string {
	budget := set(rundir.BudgetSetting, "10m")
	change, seconds := p.Remedy(perStep)
	if change == nil {
		return budget
	}
	return fmt.Sprintf("%s (%s) or %s", set(change.Name, change.Value), Seconds(seconds), budget)
}
