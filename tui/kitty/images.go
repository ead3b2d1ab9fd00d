// Package kitty shows bitmaps in terminals with the graphics protocol of kitty.
//
// A bitmap is transmitted once, outside of the frames. A cell with the character U+10EEEE shows a part of it:
// combining marks give the row and the column of the part, and the colour gives the number of the bitmap.
// Frames therefore remain ordinary text, which can be moved, cut and overwritten. Terminals that know the
// protocol without these placeholders, such as WezTerm and Konsole, are not supported.
//
// The protocol is described in https://sw.kovidgoyal.net/kitty/graphics-protocol/, section "Unicode
// placeholders".
package kitty

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

const (
	// mostImages is the maximum number of bitmaps that the terminal stores, of at most 2 MB each.
	mostImages = 32
	// mostBytes is the maximum size of an encoded bitmap in bytes.
	mostBytes = 4 << 20
	// chunk is the maximum size of the payload of a command in bytes.
	chunk = 4096
	// firstNumber is the number of the first bitmap. The last byte counts bitmaps; the other bytes avoid
	// collisions with the numbers of other programs.
	firstNumber = 0xd69000
)

// Images is the set of bitmaps stored in a terminal. It implements canvas.Images and is safe for concurrent
// use.
type Images struct {
	mu            sync.Mutex
	tty           term.File // nil in tests
	width, height int       // of a cell in pixels
	kept          map[[sha256.Size]byte]*bitmap
	pending       []byte // commands that have not been written
	time          int    // number of bitmaps shown so far
	frame         int    // the time of the last frame
}

// bitmap is a bitmap in the terminal.
type bitmap struct {
	number  int
	used    int    // the time of its last use
	command []byte // transmits it
}

// newImages returns an empty set for a terminal whose cells have the given size in pixels.
func newImages(width, height int) *Images {
	return &Images{width: width, height: height, kept: map[[sha256.Size]byte]*bitmap{}}
}

// Measure updates the size of a cell if the terminal reports the size of its window in pixels.
func (m *Images) Measure() {
	width, height := measure(m.tty)
	m.mu.Lock()
	defer m.mu.Unlock()
	if width > 0 && height > 0 {
		m.width, m.height = width, height
	}
}

// CellSize implements canvas.Images.
func (m *Images) CellSize() (w, h int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.width, m.height
}

// Show implements canvas.Images. Equal bitmaps are transmitted only once. If the terminal stores the maximum
// number of bitmaps, the least recently used one is deleted, unless it is in the last frame.
func (m *Images) Show(pixels *image.RGBA, w, h int) (number int, ok bool) {
	if w > len(marks) || h > len(marks) {
		return 0, false
	}
	hash := sha256.New()
	size := pixels.Bounds().Size()
	for _, v := range []int{w, h, size.X, size.Y} {
		hash.Write(binary.LittleEndian.AppendUint64(nil, uint64(v)))
	}
	hash.Write(pixels.Pix)
	key := [sha256.Size]byte(hash.Sum(nil))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.time++
	if known := m.kept[key]; known != nil {
		known.used = m.time
		return known.number, true
	}
	number, ok = m.freeNumber()
	if !ok {
		return 0, false
	}
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&file, pixels); err != nil || file.Len() > mostBytes {
		return 0, false
	}
	command := appendBitmap(nil, number, w, h, file.Bytes())
	m.kept[key] = &bitmap{number, m.time, command}
	m.pending = append(m.pending, command...)
	return number, true
}

// freeNumber returns a number for a new bitmap. If all numbers are in use, it deletes a bitmap.
func (m *Images) freeNumber() (number int, ok bool) {
	if len(m.kept) < mostImages {
		taken := map[int]bool{}
		for _, b := range m.kept {
			taken[b.number] = true
		}
		for number = firstNumber; taken[number]; number++ {
		}
		return number, true
	}
	var oldest *bitmap
	var key [sha256.Size]byte
	for k, b := range m.kept {
		if b.used < m.frame && (oldest == nil || b.used < oldest.used ||
			b.used == oldest.used && b.number < oldest.number) {
			oldest, key = b, k
		}
	}
	if oldest == nil {
		return 0, false
	}
	delete(m.kept, key)
	m.pending = appendDelete(m.pending, oldest.number)
	return oldest.number, true
}

// appendBitmap appends the commands that transmit a PNG file and place it in w x h cells.
func appendBitmap(out []byte, number, w, h int, file []byte) []byte {
	text := base64.StdEncoding.EncodeToString(file)
	control := fmt.Sprintf("a=T,U=1,f=100,t=d,i=%d,c=%d,r=%d,q=2,", number, w, h)
	for {
		payload := text[:min(chunk, len(text))]
		text = text[len(payload):]
		more := 0
		if text != "" {
			more = 1
		}
		out = fmt.Appendf(out, "\x1b_G%sm=%d;%s\x1b\\", control, more, payload)
		if more == 0 {
			return out
		}
		control = "q=2,"
	}
}

// appendDelete appends the command that deletes a bitmap.
func appendDelete(out []byte, number int) []byte {
	return fmt.Appendf(out, "\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", number)
}

// placeholder is the character of a cell with a bitmap.
const placeholder = "\U0010EEEE"

// Cell implements canvas.Images.
func (*Images) Cell(row, column int) string {
	return placeholder + string(marks[row]) + string(marks[column])
}

// marks holds the combining marks of rows and columns in order.
var marks = func() (list []rune) {
	for _, r := range markRanges {
		for mark := r[0]; mark <= r[1]; mark++ {
			list = append(list, mark)
		}
	}
	return list
}()

// inFrame matches the colour of placeholders.
var inFrame = regexp.MustCompile(`38;2;(\d+);(\d+);(\d+)m` + placeholder)

// Frame marks the bitmaps of a frame as used.
func (m *Images) Frame(frame string) {
	numbers := map[int]bool{}
	for _, found := range inFrame.FindAllStringSubmatch(frame, -1) {
		number := 0
		for _, part := range found[1:] {
			v, _ := strconv.Atoi(part) // Digits only.
			number = number<<8 | v
		}
		numbers[number] = true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.time++
	m.frame = m.time
	for _, b := range m.kept {
		if numbers[b.number] {
			b.used = m.time
		}
	}
}

// Resend transmits all bitmaps again, after the terminal has left the alternate screen and returned to it.
func (m *Images) Resend() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pending = nil
	for _, b := range m.kept {
		m.pending = append(m.pending, b.command...)
	}
}

// take returns the commands that must precede an output. The terminal keeps the bitmaps of each screen apart,
// so they are deleted before it leaves the alternate screen.
func (m *Images) take(output []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	commands := m.pending
	m.pending = nil
	if bytes.Contains(output, []byte(ansi.ResetModeAltScreenSaveCursor)) {
		commands = nil
		for _, b := range m.kept {
			commands = appendDelete(commands, b.number)
		}
	}
	return commands
}

// Output is a terminal that receives bitmaps before the frames that show them, and deletes them at the end.
type Output struct {
	term.File
	Images *Images
}

// Write implements io.Writer.
func (o Output) Write(p []byte) (int, error) {
	commands := o.Images.take(p)
	if len(commands) > 0 {
		if _, err := o.File.Write(commands); err != nil {
			return 0, err
		}
	}
	return o.File.Write(p)
}

var _ io.Writer = Output{}
