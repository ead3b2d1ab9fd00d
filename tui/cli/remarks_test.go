package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"dgplab/session"
	"dgplab/session/config"
)

// A run that takes long is warned about once, with the flags that shorten it.
func TestWarningOfALongRun(t *testing.T) {
	var out bytes.Buffer
	c := &console{Streams: Streams{Err: &out}}
	plan := &session.Preview{Steps: 9000, Cheaper: []config.Cheaper{
		{Name: "inducing", Value: "32", Ratio: 0.01}}}
	s := &session.Snapshot{Steps: 9000, Remaining: 2 * time.Hour}
	said := remarks{}
	said.ofTime(c, s, plan) // The speed is unknown.
	s.StepsPerSecond = 1
	said.ofTime(c, s, nil) // A resumed run has no plan.
	if out.Len() > 0 {
		t.Fatalf("early: %s", out.String())
	}
	said.ofTime(c, s, plan)
	said.ofTime(c, s, plan)
	want := "warning: about 2h00m for 9,000 steps at this speed; to shorten it, " +
		"use --set inducing=32 (3m46s) or --budget 10m\n"
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
