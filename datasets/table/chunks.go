package table

import (
	"bytes"
	"errors"
	"io"
)

// chunkBytes is the default size of a chunk.
const chunkBytes = 1 << 18

// chunker cuts the text of a table into chunks of complete rows.
type chunker struct {
	r         io.Reader
	limits    limits
	delimiter rune
	size      int    // approximate number of bytes parsed at once
	pending   []byte // bytes read but not yet returned
	ended     bool   // no more text will be read
	err       error  // error of the reader after the pending text
}

// next returns the next chunk, which the caller may keep, or io.EOF at the end. If it finds no
// complete row within the limits, it returns an *Error, whose line counts from 1 after the previous
// chunk, or a last chunk for which the parser reports the error.
func (c *chunker) next() ([]byte, error) {
	for {
		if cut := c.cut(); cut > 0 {
			chunk := c.pending[:cut:cut]
			c.pending = c.pending[cut:]
			return chunk, nil
		}
		n := len(c.pending)
		switch {
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

// fill reads until the pending text has at least doubled or the text ends.
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

// cut returns the length of the complete rows in the pending text, which is all of it at the end.
func (c *chunker) cut() int {
	if c.ended {
		return len(c.pending)
	}
	last := bytes.LastIndexByte(c.pending, '\n') + 1
	if last == 0 || c.delimiter == Whitespace || bytes.IndexByte(c.pending, '"') < 0 {
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
