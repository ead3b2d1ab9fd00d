package kitty

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"dgplab/viz/canvas"
)

// noise returns a bitmap that cannot be compressed.
func noise(seed uint64, w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(seed, 0))
	bitmap := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range bitmap.Pix {
		bitmap.Pix[i] = uint8(r.Uint32()) | 0x80
		if i%4 == 3 {
			bitmap.Pix[i] = 255
		}
	}
	return bitmap
}

// A bitmap is transmitted once, as a PNG file in chunks of at most 4096 bytes.
func TestTransmission(t *testing.T) {
	m := newImages(10, 20)
	number, ok := m.Show(noise(1, 60, 40), 6, 2)
	again, okAgain := m.Show(noise(1, 60, 40), 6, 2)
	other, okOther := m.Show(noise(1, 60, 40), 3, 2)
	if !ok || !okAgain || !okOther || number != again || number == other {
		t.Fatalf("numbers %x, %x and %x", number, again, other)
	}
	command := regexp.MustCompile(`\x1b_G([^;]*);([^\x1b]*)\x1b\\`)
	var text strings.Builder
	for i, found := range command.FindAllSubmatch(m.pending, -1) {
		control := string(found[1])
		first := fmt.Sprintf("a=T,U=1,f=100,t=d,i=%d,c=6,r=2,q=2,m=1", number)
		last := strings.HasSuffix(control, "m=0")
		if i == 0 && control != first || i > 0 && control != "q=2,m=1" && control != "q=2,m=0" ||
			len(found[2]) > 4096 || !last && len(found[2])%4 != 0 {
			t.Errorf("chunk %d of %d bytes has the control data %s", i, len(found[2]), control)
		}
		text.Write(found[2])
		if last {
			break
		}
	}
	file, err := base64.StdEncoding.DecodeString(text.String())
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if c := decoded.At(7, 9); color.RGBAModel.Convert(c) != noise(1, 60, 40).At(7, 9) {
		t.Errorf("the pixel at 7, 9 is %v", c)
	}
	if left := command.ReplaceAll(m.pending, nil); len(left) > 0 {
		t.Errorf("other bytes: %q", left)
	}
}

// After the terminal has shown another screen, bitmaps are transmitted again, under the same numbers.
func TestResend(t *testing.T) {
	m := newImages(10, 20)
	number, _ := m.Show(noise(1, 60, 40), 6, 2)
	sent := string(m.pending)
	m.pending = nil // The terminal has received it.
	m.Resend()
	if got := string(m.pending); got != sent {
		t.Errorf("resending bitmap %x transmits %d bytes, want the %d bytes of the first time", number,
			len(got), len(sent))
	}
}

// The number of stored bitmaps is limited. Bitmaps in the last frame are not deleted.
func TestLimit(t *testing.T) {
	m := newImages(10, 20)
	show := func(k int) (int, bool) { return m.Show(noise(uint64(k), 4, 4), 1, 1) }
	frame := ""
	var first []int
	for k := range mostImages {
		number, ok := show(k)
		if !ok {
			t.Fatalf("bitmap %d is not shown", k)
		}
		first = append(first, number)
	}
	if _, ok := show(1000); ok {
		t.Error("a bitmap of an unfinished frame was deleted")
	}
	for _, number := range first[:mostImages-1] {
		frame += fmt.Sprintf("\x1b[38;2;%d;%d;%dm%s\x1b[39m\n", number>>16, number>>8&255, number&255,
			m.Cell(0, 0))
	}
	m.Frame(frame)
	m.pending = nil
	number, ok := show(1000)
	if !ok || number != first[mostImages-1] {
		t.Errorf("the new bitmap has the number %x (%v), want %x, which no cell shows", number, ok,
			first[mostImages-1])
	}
	if !strings.HasPrefix(string(m.pending), fmt.Sprintf("\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", number)) {
		t.Errorf("the old bitmap is not deleted first: %.60q", m.pending)
	}
	if _, ok := show(1001); ok {
		t.Error("a bitmap in the last frame was deleted")
	}
}

// Libraries that measure and cut frames see every cell as one column wide.
func TestCellsAreOneColumnWide(t *testing.T) {
	m := newImages(10, 20)
	if len(marks) != 297 {
		t.Fatalf("%d marks, want the 297 of the protocol", len(marks))
	}
	for i := range marks {
		cell := m.Cell(i, len(marks)-1-i)
		if ansi.StringWidth(cell) != 1 || lipgloss.Width(cell) != 1 ||
			ansi.Truncate(cell+cell, 1, "") != cell {
			t.Fatalf("mark %d, %U: the cell has width %d", i, marks[i], ansi.StringWidth(cell))
		}
	}
	if got := m.Cell(0, 1); got != "\U0010EEEE\u0305\u030D" {
		t.Errorf("row 0, column 1 is %q", got)
	}
	_, wide := m.Show(noise(1, 4, 4), 298, 1)
	_, large := m.Show(noise(1, 1400, 1200), 10, 10) // 5 MB of noise
	if wide || large {
		t.Errorf("a bitmap is wider than the number of marks (%v) or too large (%v)", wide, large)
	}
}

// A canvas draws the cells of a bitmap in the colour that encodes its number. Text replaces cells. In styles
// without bitmaps, maps are drawn with characters.
func TestCanvas(t *testing.T) {
	m := newImages(8, 16)
	style := canvas.Style{Mode: canvas.TrueColor, Images: m}
	cv := canvas.New(style, 4, 2)
	painted := image.Point{}
	paint := func(b *image.RGBA) { painted = b.Bounds().Size() }
	if !cv.Image(1, 0, 3, 2, paint) || painted != image.Pt(24, 32) {
		t.Fatalf("painted %v", painted)
	}
	cv.Text(3, 1, "x", canvas.Ink{})
	id := "\x1b[38;2;214;144;0m"
	want := []string{
		" " + id + m.Cell(0, 0) + m.Cell(0, 1) + m.Cell(0, 2) + "\x1b[0m",
		" " + id + m.Cell(1, 0) + m.Cell(1, 1) + "\x1b[0mx",
	}
	for y, line := range cv.Lines() {
		if line != want[y] {
			t.Errorf("line %d is %q, want %q", y, line, want[y])
		}
	}
	m.Frame(cv.String())
	for _, b := range m.kept {
		if b.used != m.frame {
			t.Error("the bitmap is not found in the frame")
		}
	}
	large := canvas.New(style, 290, 200)
	if !large.Image(0, 0, 290, 200, paint) ||
		painted.X*painted.Y > 1<<19+2000 || painted.X < 600 {
		t.Errorf("a large bitmap has %v pixels", painted)
	}
	for _, none := range []canvas.Style{{Mode: canvas.TrueColor}, {Mode: canvas.ANSI256, Images: m},
		{Mode: canvas.TrueColor, ASCII: true, Images: m}} {
		if canvas.New(none, 4, 2).Image(0, 0, 4, 2, func(*image.RGBA) {}) {
			t.Errorf("%+v draws a bitmap", none)
		}
	}
}

// recorder is a terminal that records its output.
type recorder struct{ bytes.Buffer }

func (*recorder) Fd() uintptr  { return 0 }
func (*recorder) Close() error { return nil }

// A bitmap is written once, before the first frame that shows it.
func TestOutput(t *testing.T) {
	m := newImages(10, 20)
	tty := &recorder{}
	out := Output{File: tty, Images: m}
	number, _ := m.Show(noise(1, 4, 4), 1, 1)
	for range 2 {
		if n, err := io.WriteString(out, "frame"); n != 5 || err != nil {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}
	text := tty.String()
	if !strings.HasPrefix(text, fmt.Sprintf("\x1b_Ga=T,U=1,f=100,t=d,i=%d,", number)) ||
		!strings.HasSuffix(text, "\x1b\\frameframe") {
		t.Errorf("written: %q", text)
	}
}

// A delete command reaches only the bitmaps of the visible screen in kitty. So the bitmaps of the alternate
// screen are deleted before the program leaves it.
func TestOutputDeletesBeforeItLeavesTheScreen(t *testing.T) {
	m := newImages(10, 20)
	tty := &recorder{}
	out := Output{File: tty, Images: m}
	number, _ := m.Show(noise(1, 4, 4), 1, 1)
	io.WriteString(out, "frame")
	tty.Reset()
	io.WriteString(out, ansi.ResetModeAltScreenSaveCursor)
	want := fmt.Sprintf("\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", number) + ansi.ResetModeAltScreenSaveCursor
	if got := tty.String(); got != want {
		t.Errorf("leaving the screen writes %q, want %q", got, want)
	}
}

// fakeTerminal answers queries, each after a pause.
type fakeTerminal struct {
	*io.PipeReader
	answers map[string]string
	pause   time.Duration
	w       *io.PipeWriter
	asked   strings.Builder
}

func (f *fakeTerminal) Write(p []byte) (int, error) {
	f.asked.Write(p)
	answer := f.answers[string(p)]
	go func() {
		time.Sleep(f.pause)
		io.WriteString(f.w, answer)
	}()
	return len(p), nil
}

func TestQuery(t *testing.T) {
	const attributes = "\x1b[?62;22c"
	const accepted = "\x1b_Gi=31;OK\x1b\\\x1b[6;18;9t" + attributes
	named := func(name string) string { return "\x1bP>|" + name + "\x1b\\" + attributes }
	for _, c := range []struct {
		what, name, images string
		pause              time.Duration
		width, height      int // 0 without bitmaps
		asked              bool
	}{
		{what: "kitty", name: named("kitty(0.35.2)"), images: accepted, width: 9, height: 18, asked: true},
		{what: "Ghostty", name: named("ghostty 1.0.1"), images: accepted, width: 9, height: 18, asked: true},
		{what: "no size", name: named("kitty(0.28.0)"), images: "\x1b_Gi=31;OK\x1b\\" + attributes,
			width: 10, height: 20, asked: true},
		{what: "an old kitty", name: named("kitty(0.27.1)")},
		{what: "no placeholders", name: named("WezTerm 20240203-110809-5046fc22")},
		{what: "tmux", name: named("tmux 3.4")},
		{what: "no name", name: attributes},
		{what: "turned off", name: named("kitty(0.35.2)"), images: attributes, asked: true},
		{what: "an error", name: named("kitty(0.35.2)"),
			images: "\x1b_Gi=31;EINVAL:no\x1b\\" + attributes, asked: true},
		{what: "silence"},
		{what: "late", name: named("kitty(0.35.2)"), images: accepted, pause: timeout + 1},
	} {
		t.Run(c.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				tty := &fakeTerminal{PipeReader: r, w: w, pause: c.pause,
					answers: map[string]string{askName: c.name, askImages: c.images}}
				width, height, ok := converse(tty, func() { r.Close() })
				if width != c.width || height != c.height || ok != (c.width > 0) {
					t.Errorf("%d x %d, %v", width, height, ok)
				}
				if asked := strings.Contains(tty.asked.String(), "\x1b_G"); asked != c.asked {
					t.Errorf("asked about bitmaps: %v", asked)
				}
				r.Close()
				time.Sleep(2 * timeout)
			})
		})
	}
}
