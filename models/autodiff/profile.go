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
