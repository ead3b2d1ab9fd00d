package autodiff

import "time"

// Profile records the time that replays spend in each section. The tape reads the clock after each
// operation and adds the elapsed time to the section of the operation (see Tape.Section). The
// caller assigns the time outside replays to a section with Tape.Lap.
type Profile struct {
	// Times holds the total time of each section.
	Times []time.Duration
	clock func() time.Duration
	last  time.Duration
}

// NewProfile returns a profile of sections [0, sections).
func NewProfile(sections int) *Profile { return &Profile{Times: make([]time.Duration, sections)} }

// Section sets the section of the operations recorded from now on, initially 0.
func (t *Tape) Section(section int) { t.section = section }

// Measure makes replays add their times to p, using the given clock; a nil p ends the measurement.
// The sections recorded on t must exist in p. Replays without a profile do not read the clock.
func (t *Tape) Measure(p *Profile, clock func() time.Duration) {
	t.profile = p
	if p != nil {
		p.clock, p.last = clock, clock()
	}
}

// Lap adds the time since the last lap, or since Measure, to a section. It does nothing without a
// profile.
func (t *Tape) Lap(section int) {
	if p := t.profile; p != nil {
		now := p.clock()
		p.Times[section] += now - p.last
		p.last = now
	}
}

// Skip ignores the time since the last lap.
func (t *Tape) Skip() {
	if p := t.profile; p != nil {
		p.last = p.clock()
	}
}

// Including runs an operation that replays other tapes, which may run in parallel. With a profile, it adds
// the time since the last lap to the sections of these tapes, in proportion to the times of their operations.
// A replay that waits for its turn calls Skip first.
func (t *Tape) Including(others []*Tape, run func()) {
	p := t.profile
	if p == nil {
		run()
		return
	}
	parts := make([]*Profile, len(others))
	for i, other := range others {
		parts[i] = NewProfile(len(p.Times))
		other.Measure(parts[i], p.clock)
	}
	run()
	var total time.Duration
	for i, other := range others {
		other.Measure(nil, nil)
		for _, d := range parts[i].Times {
			total += d
		}
	}
	if total <= 0 {
		return // the clock did not move
	}
	now := p.clock()
	share := float64(now-p.last) / float64(total)
	for _, part := range parts {
		for section, d := range part.Times {
			p.Times[section] += time.Duration(share * float64(d))
		}
	}
	p.last = now
}
