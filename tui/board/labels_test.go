package board

import (
	"slices"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

func TestLabels(t *testing.T) {
	with := func(c rundir.Config, inducing string) *session.Snapshot {
		s := kittest.Training(c, 100)
		s.Values = map[string]string{"inducing": inducing, "layers": "2"}
		return s
	}
	d := newStage(with(kittest.OfFamily("star", 0), "32"))
	labels := func() (list []string) {
		for _, r := range d.Runs {
			list = append(list, r.Label)
		}
		return list
	}
	d.start(with(kittest.OfFamily("mean-field", 0), "64"))
	if got := labels(); !slices.Equal(got, []string{"star inducing 32", "mean-field inducing 64"}) {
		t.Errorf("labels %q", got)
	}
	d.Runs[1].Snapshot.Values["metrics_every"] = "7"
	d.Relabel()
	if got := labels(); !slices.Equal(got, []string{"star inducing 32", "mean-field inducing 64"}) {
		t.Errorf("labels with fields without effect %q", got)
	}
	d.start(with(kittest.OfFamily("star", 0), "32"))
	if got := labels(); !slices.Equal(got,
		[]string{"star inducing 32 1", "mean-field inducing 64", "star inducing 32 3"}) {
		t.Errorf("labels of equal runs %q", got)
	}
}

// Brief labels have only the fields that distinguish the runs.
func TestBriefLabels(t *testing.T) {
	with := func(family, inducing, steps string) *session.Snapshot {
		s := kittest.Training(kittest.OfFamily(family, 0), 100)
		s.Values = map[string]string{"inducing": inducing, "steps": steps}
		return s
	}
	d := newStage(with("star", "16", "600"))
	d.start(with("mean-field", "32", "20000"))
	briefs := func() (list []string) {
		for _, r := range d.Runs {
			list = append(list, r.Brief)
		}
		return list
	}
	if got := briefs(); !slices.Equal(got, []string{"star", "mean-field"}) {
		t.Errorf("two runs have the labels %q", got)
	}
	d.start(with("star", "16", "3000"))
	if got := briefs(); !slices.Equal(got, []string{"star steps 600", "mean-field", "star steps 3000"}) {
		t.Errorf("three runs have the labels %q", got)
	}
	if got := d.Runs[0].forFiles().Brief; got != "star inducing 16 steps 600" {
		t.Errorf("an exported picture has the label %q", got)
	}
	d.Runs[0].Name = "reference"
	d.Relabel()
	if got := briefs(); !slices.Equal(got, []string{"reference", "mean-field", "star steps 3000"}) {
		t.Errorf("with a name the labels are %q", got)
	}
}

func TestGroupKey(t *testing.T) {
	d := newStage(kittest.Training(kittest.OfFamily("star", 0), 400))
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 400))
	d.do(ActGroup)
	if !strings.Contains(d.said, "no two of these runs") {
		t.Errorf("g without seeds to group reports %q", d.said)
	}
	d.start(kittest.Training(kittest.OfFamily("star", 1), 400))
	c := d.curve(ofObjective)
	if len(c.Groups) != 1 || len(c.Series) != 1 || c.Groups[0].Label != "star" || c.Groups[0].Of != "seeds" ||
		c.Groups[0].Run != 0 || len(c.Groups[0].Members) != 2 {
		t.Errorf("groups %+v and %d series", c.Groups, len(c.Series))
	}
	frame := d.frame()
	for _, want := range []string{"seeds grouped", "● star", "± s.e. of 2 seeds"} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %q in\n%s", want, frame)
		}
	}
	d.do(ActGroup)
	if len(d.curve(ofObjective).Series) != 3 {
		t.Error("g does not separate them again")
	}
}

// Ten seeds of three families are drawn as three lines. Pictures of single runs show one run of each group.
func TestGroupsOfSeeds(t *testing.T) {
	d := newStage()
	for _, family := range []string{"star", "mean-field", "fully-coupled"} {
		for seed := range uint64(10) {
			d.start(kittest.Training(kittest.OfFamily(family, seed), 400))
		}
	}
	if c := d.curve(ofObjective); len(c.Series) != 0 || len(c.Groups) != 3 ||
		len(c.Groups[1].Members) != 10 || c.Groups[2].Run != 2 {
		t.Errorf("%d series, %d groups", len(c.Series), len(c.Groups))
	}
	d.Chosen = 14
	if few := d.representatives(); len(few) != 3 || few[1] != 14 {
		t.Errorf("pictures of %v, 14 is selected", few)
	}
}
