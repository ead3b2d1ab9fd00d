package autodiff

import "time"

// Profile gathers where the time of replays goes: the clock is read after each
// operation, and what has passed is added to the section that the operation was
// recorded in (see Tape.Section). The caller divides the rest of its work
// likewise, by calls of Tape.Lap.
type Profile struct {
	// Times holds what each section has taken so far.
	Times []time.Duration
	clock func() time.Duration
	last  time.Duration
}

// NewProfile returns a profile of sections [0, sections).
func NewProfile(sections int) *Profile { return &Profile{Times: make([]time.Duration, sections)} }

// Section names the part, a number of the caller's, that the operations recorded
// from now on belong to. It is 0 at first.
func (t *Tape) Section(section int) { t.section = section }

// Measure makes replays add to p, from now on, by a clock of the caller's; a nil
// p ends that. Sections recorded on t must be within p. Without a profile a
// replay reads no clock.
func (t *Tape) Measure(p *Profile, clock func() time.Duration) {
	t.profile = p
	if p != nil {
		p.clock, p.last = clock, clock()
	}
}

// Lap adds the time since the last lap, or since Measure, to a section. Without a
// profile it does nothing.
func (t *Tape) Lap(section int) {
	if p := t.profile; p != nil {
		now := p.clock()
		p.Times[section] += now - p.last
		p.last = now
	}
}
