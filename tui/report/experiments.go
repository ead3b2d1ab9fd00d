package report

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/datasets"
	"dgplab/session/reproduce"
	"dgplab/session/sweep"
)

// ExistingRuns returns the number of finished runs of an experiment and the number of all of them.
func ExistingRuns(e reproduce.Entry) string {
	return fmt.Sprintf("%s/%s", Grouped(e.Done), Grouped(e.Runs()))
}

// MissingTime returns the estimated time of the missing runs, with + if that of some is unknown, or ? if none
// is known.
func MissingTime(e reproduce.Entry) string {
	switch {
	case e.Done == e.Runs():
		return ""
	case e.Seconds == 0:
		return "?"
	case e.Unknown > 0:
		return Seconds(e.Seconds) + "+"
	}
	return Seconds(e.Seconds)
}

// HasUnknownTime reports whether MissingTime has a mark for one of the experiments.
func HasUnknownTime(list []reproduce.Entry) bool {
	return slices.ContainsFunc(list, func(e reproduce.Entry) bool { return e.Unknown > 0 })
}

// PlanRuns returns the number of selected runs of an experiment, and how many of them exist or have failed.
func PlanRuns(p *reproduce.Plan) string {
	if p.Selected == 0 {
		return "no data set is downloaded"
	}
	text := fmt.Sprintf("%s, of which %d exist", Plural(p.Selected, "run", "runs"),
		p.Selected-len(p.State.Cells))
	if failed := p.State.Count(sweep.Failed); failed > 0 {
		text += fmt.Sprintf(" and %d failed", failed)
	}
	return text
}

// Downloading describes the progress of the download of a data set. p is nil before the first report.
func Downloading(name string, p *datasets.Progress) string {
	if p == nil {
		return "downloading " + name
	}
	text := fmt.Sprintf("downloading %s: file %d of %d", name, min(p.FilesDone+1, p.Files), p.Files)
	if p.Bytes > 0 {
		text += fmt.Sprintf(", %s of %s", Bytes(p.BytesDone), Bytes(p.Bytes))
	}
	if p.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", p.Attempt)
	}
	return text
}

// NotDownloaded names data sets that must be downloaded, and the command that does it.
func NotDownloaded(names []string) string {
	return fmt.Sprintf("not downloaded: %s; run: dgplab datasets fetch %s", strings.Join(names, ", "),
		strings.Join(names, " "))
}

// SweepTime describes the estimated time of the remaining runs with the given number of jobs.
func SweepTime(e sweep.Estimate, jobs int) string {
	if e.Unknown == e.Runs {
		return "unknown: no similar run has been measured yet"
	}
	text := "at most about " + Seconds(e.Seconds) + " of training"
	if e.Unknown > 0 {
		return fmt.Sprintf("%s, plus %s of unknown duration", text, Plural(e.Unknown, "run", "runs"))
	}
	if jobs > 1 && e.Runs > 1 {
		text += fmt.Sprintf(", or %s with %d runs in parallel if there are enough cores",
			Duration(e.Time(jobs)), jobs)
	}
	if e.Timed > 0 {
		return text + ", based on the first steps of each family"
	}
	return text + ", based on earlier runs"
}
