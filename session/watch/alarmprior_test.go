package watch

import (
	"math"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

func TestAlarmOfPriorCollapse(t *testing.T) {
	for _, c := range []struct {
		name      string
		n         int
		kl, noise float64 // values of the first lines; without noise if noise is 0
		until     int     // step of the last of these lines, one in 10 steps
		better    int     // number of following lines with a much larger KL divergence
		since     int     // 0 for no alarm
		text      string
	}{
		{name: "collapsed", n: 1000, kl: 0.3, noise: 0.99, until: 140, since: 1000,
			text: "(KL 0.3 nats, noise 99 % of the variance): the model learns nothing"},
		{name: "not for long", n: 1000, kl: 0.3, noise: 0.99, until: 118},
		{name: "it has learned something", n: 1000, kl: 16, noise: 0.99, until: 200},
		{name: "a mean function explains it", n: 1000, kl: 0.1, noise: 0.5, until: 200},
		{name: "classes", n: 1000, kl: 0.4, until: 200, since: 1000, text: "prior (KL 0.4 nats): the model"},
		{name: "classes separated by a plane", n: 1000, kl: 3, until: 200},
		{name: "many points", n: 1 << 20, kl: 60, noise: 0.99, until: 200},
		{name: "it leaves the prior", n: 1000, kl: 0.3, noise: 0.99, until: 140, better: 10},
		{name: "hardly", n: 1000, kl: 0.3, noise: 0.99, until: 140, better: 9, since: 1000, text: "KL 0.3"},
	} {
		w := New(noisy, c.n)
		for i := 1; i <= c.until+c.better; i++ {
			p := rundir.Point{
				Step:      10 * i,
				ValLogLik: math.NaN(),
				Readings:  []rundir.Reading{{Key: family.KL.Key, Value: c.kl}},
			}
			if c.noise > 0 {
				p.Readings = append(p.Readings, rundir.Reading{Key: NoiseReading, Value: c.noise})
			}
			if i > c.until {
				p.Readings[0].Value = 1e3
			}
			w.Add(p)
		}
		list := w.Alarms()
		switch {
		case c.since == 0 && len(list) > 0, c.since > 0 && len(list) != 1:
			t.Errorf("%s: %v", c.name, list)
		case c.since > 0 &&
			(list[0].Kind != rundir.AlarmPrior || list[0].Since != c.since ||
				!strings.Contains(list[0].Text, c.text)):
			t.Errorf("%s: %v", c.name, list)
		}
	}
}
