package datasets

import (
	"bytes"
	"errors"
	"io"
)

// chunkBytes is the usual size of a chunk.
const chunkBytes = 1 << 18

// chunker cuts a text into chunks of whole rows.
type chunker struct {
	r         io.Reader
	limits    limits
	delimiter rune
	size      int    // about so many bytes are parsed at once
	pending   []byte // what was read and is in no chunk
	ended     bool   // nothing more is read
	err       error  // of the text behind what is pending
}

// next returns the next chunk, whose bytes are the caller's, or io.EOF at the end. Text of
// which no whole row is found within the limits is a *CSVError, its line from 1 behind the
// last chunk, or a chunk, the last one, whose parser will say why.
func (c *chunker) next() ([]byte, error) {
	for {
		if cut := c.cut(); cut > 0 {
			chunk := c.pending[:cut:cut]
			c.pending = c.pending[cut:]
			return chunk, nil
		}
		switch n := len(c.pending); {
		case c.ended && c.err != nil:
			return nil, c.err
		case c.ended:
			return nil, io.EOF
		case n >= 2*c.size:
			if failed := c.limits.check(c.pending, c.delimiter, 1); failed != nil {
				return nil, failed
			}
			c.ended = int64(n) > c.limits[lineLimit]
		}
		if !c.ended {
			c.fill()
		}
	}
}

// fill reads more text, at least as much as there is.
func (c *chunker) fill() {
	n := len(c.pending)
	grown := make([]byte, n+max(c.size, n))
	copy(grown, c.pending)
	for n < len(grown) && !c.ended {
		k, err := c.r.Read(grown[n:])
		n += k
		c.ended = err != nil
		if c.ended && !errors.Is(err, io.EOF) {
			c.err = err
		}
	}
	c.pending = grown[:n]
}

// cut returns the length of the whole rows that are pending: all of it at the end.
func (c *chunker) cut() int {
	if c.ended {
		return len(c.pending)
	}
	last := bytes.LastIndexByte(c.pending, '\n') + 1
	if last == 0 || c.delimiter == whitespace || bytes.IndexByte(c.pending, '"') < 0 {
		return last
	}
	whole, quoted := 0, false
	for at := 0; at < last; {
		end := at + bytes.IndexByte(c.pending[at:], '\n') + 1
		if line := c.pending[at:end]; quoted || line[0] != '#' {
			quoted = quoted != (bytes.Count(line, quote)%2 == 1)
		}
		at = end
		if !quoted {
			whole = end
		}
	}
	return whole
}

var quote = []byte{'"'}
