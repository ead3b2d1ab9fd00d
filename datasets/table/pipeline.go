package table

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
)

// maxParsers is the maximum number of chunks parsed concurrently.
const maxParsers = 8

// job is a chunk to parse or an error.
type job struct {
	text   []byte
	skip   bool // the first row is a header
	before int  // number of lines before the chunk
	err    error
	piece  *piece
	done   chan struct{}
}

// readRows reads all rows of a table: one goroutine cuts the text into chunks, several goroutines
// parse them, and the calling goroutine combines the results in the order of the text. The result
// does not depend on the number of goroutines.
func (t *Table) readRows(ctx context.Context, text io.Reader, opt ReadOptions) error {
	parsers := min(runtime.GOMAXPROCS(0), maxParsers)
	ordered := make(chan *job, 2*parsers)
	todo := make(chan *job, 2*parsers)
	stop := make(chan struct{})
	var begun sync.WaitGroup
	begun.Go(func() {
		defer close(ordered)
		defer close(todo)
		t.cutJobs(ctx, text, opt, func(j *job) bool {
			select {
			case ordered <- j:
				todo <- j
				return true
			case <-stop:
				return false
			}
		})
	})
	spare := make(chan *piece, 4*parsers)
	for range parsers {
		begun.Go(func() { t.parseJobs(todo, spare) })
	}
	err := t.collect(ordered, spare)
	close(stop)
	for range ordered { // let the workers finish
	}
	begun.Wait()
	if err == nil && t.Rows() == 0 {
		err = &Error{File: t.Name, Problem: "no rows of numbers"}
	}
	return err
}

// collect combines the results of the chunks in order.
func (t *Table) collect(ordered <-chan *job, spare chan<- *piece) error {
	for j := range ordered {
		<-j.done
		if j.err != nil {
			return j.err
		}
		if err := t.add(j.piece, j.before); err != nil {
			return err
		}
		select {
		case spare <- j.piece:
		default:
		}
	}
	return nil
}

// cutJobs sends the chunks of the text as jobs until send returns false. The columns are known
// before the first job is sent.
func (t *Table) cutJobs(ctx context.Context, text io.Reader, opt ReadOptions, send func(*job) bool) {
	chunks := &chunker{
		r:         text,
		limits:    t.limits,
		delimiter: opt.Delimiter,
		size:      cmp.Or(opt.chunk, chunkBytes),
	}
	before, begun := 0, false
	for {
		chunk, err := chunks.next()
		if errors.Is(err, io.EOF) {
			return
		}
		j := &job{text: chunk, before: before, done: make(chan struct{})}
		if ctx.Err() != nil {
			err = ctx.Err()
		} else if err != nil {
			err = recordError(t.Name, err)
		} else if !begun {
			j.skip, begun, err = t.beginWith(chunk, opt)
			if !begun && err == nil {
				before += bytes.Count(chunk, newline)
				continue
			}
		}
		j.err = shiftLine(err, before)
		if !send(j) || err != nil {
			return
		}
		before += bytes.Count(chunk, newline)
	}
}

var newline = []byte{'\n'}

// shiftLine returns an error with its line number increased by lines.
func shiftLine(err error, lines int) error {
	var trouble *Error
	if lines == 0 || !errors.As(err, &trouble) || trouble.Line == 0 {
		return err
	}
	moved := *trouble
	moved.Line += lines
	return &moved
}

// beginWith processes the first row of a chunk, if there is one.
func (t *Table) beginWith(chunk []byte, opt ReadOptions) (header, begun bool, err error) {
	cells, err := newRecords(bufio.NewReader(bytes.NewReader(chunk)), opt.Delimiter).next()
	switch {
	case errors.Is(err, io.EOF):
		return false, false, nil
	case err != nil:
		return false, true, recordError(t.Name, err)
	}
	header, err = t.begin(cells, opt)
	return header, true, err
}

// parseJobs parses chunks until there are no more.
func (t *Table) parseJobs(todo <-chan *job, spare <-chan *piece) {
	var p *rowParser
	for j := range todo {
		if j.err == nil {
			if p == nil { // the first row has been processed before
				p = newRowParser(t)
			}
			select {
			case p.piece = <-spare:
			default:
				p.piece = new(piece)
			}
			p.parse(j.text, j.skip)
			j.piece = p.piece
		}
		close(j.done)
	}
}
