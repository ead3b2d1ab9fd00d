package session

import (
	"context"
	"math"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// Runs of families with leave-one-out predictions record them with their scores; others have none.
func TestLeaveOneOut(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for name, exact := range map[string]bool{"gp": true, "linear": true, "dgp-ess": false, "bnn-hmc": false} {
		spec, err := models.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Start(context.Background(), realConfig(spec))
		if err != nil {
			t.Fatal(err)
		}
		<-r.Done()
		s := r.Latest()
		if s.Err != nil || s.LeaveOneOut == nil {
			t.Fatalf("%s: %v, %+v", name, s.Err, s.LeaveOneOut)
		}
		l := s.LeaveOneOut
		if l.Exact != exact || l.N != s.LeftOut.N || l.Of != s.Data.N || l.Coverage["95"] < 0 ||
			exact != (l.LargestK == nil) {
			t.Errorf("%s: %+v", name, l)
		}
		var sum float64
		for _, v := range s.LeftOut.LogLik {
			sum += v / float64(l.N)
		}
		if math.Abs(sum-float64(l.LogLik)) > 1e-9 {
			t.Errorf("%s: points with a log-likelihood of %v, %v in the summary", name, sum, l.LogLik)
		}
		record, err := rundir.FindReadOnly(r.ID())
		if err != nil {
			t.Fatal(err)
		}
		read := Open(record)
		if read.LeaveOneOut.LogLik != l.LogLik || read.LeftOut == nil ||
			read.LeftOut.Mean[3] != s.LeftOut.Mean[3] || read.LeftOut.Rows[3] != s.LeftOut.Rows[3] {
			t.Errorf("%s: read %+v", name, read.LeaveOneOut)
		}
	}
	spec, err := models.Lookup("svgp")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(context.Background(), realConfig(spec))
	if err != nil {
		t.Fatal(err)
	}
	<-r.Done()
	if s := r.Latest(); s.LeaveOneOut != nil || s.LeftOut != nil {
		t.Errorf("%+v", s.LeaveOneOut)
	}
}
