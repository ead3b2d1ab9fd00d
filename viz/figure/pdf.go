package figure

import (
	"image"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// fixPDF makes PDF files independent of the clock and of the order of maps.
var fixPDF = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0))
	fpdf.SetDefaultModificationDate(time.Unix(0, 0))
	fpdf.SetDefaultCatalogSort(true)
})

// pdfCanvas is a canvas of gonum/plot that encodes text in the encoding of the fonts.
type pdfCanvas struct{ *vgpdf.Canvas }

func newPDF(w, h vg.Length) pdfCanvas {
	fixPDF()
	return pdfCanvas{vgpdf.New(w, h)}
}

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(face font.Face, at vg.Point, text string) {
	c.Canvas.FillString(face, at, windows1252(text))
}

// DrawImage implements vg.Canvas. The canvas of gonum/plot mirrors the vertical axis of the page, including
// images.
func (c pdfCanvas) DrawImage(rect vg.Rectangle, img image.Image) {
	b := img.Bounds()
	mirrored := image.NewNRGBA(b)
	for y := range b.Dy() {
		for x := range b.Dx() {
			mirrored.Set(b.Min.X+x, b.Min.Y+y, img.At(b.Min.X+x, b.Max.Y-1-y))
		}
	}
	c.Canvas.DrawImage(rect, mirrored)
}

// inPDF maps characters to Windows-1252, the code page of the fonts. Characters outside of it are
// spelled out.
var inPDF = map[rune]string{
	'€': "\x80", '…': "\x85", '’': "\x92", '•': "\x95", '–': "\x96", '—': "\x97", '‘': "\x91",
	'“': "\x93", '”': "\x94", '−': "-", '→': "->", '←': "<-",
	'≤': "<=", '≥': ">=", '≠': "!=", '≈': "~",
	'∞': "inf", '√': "sqrt", 'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon",
	'θ': "theta", 'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ρ': "rho",
	'σ': "sigma", 'τ': "tau", 'φ': "phi",
	'χ': "chi", 'ψ': "psi", 'ω': "omega", 'Δ': "Delta", 'Σ': "Sigma", 'ℓ': "l",
}

// windows1252 encodes text in Windows-1252. Characters that it cannot express become question
// marks.
func windows1252(text string) string {
	var b strings.Builder
	for _, r := range text {
		spelled, ok := inPDF[r]
		switch {
		case ok:
			b.WriteString(spelled)
		case r < 0x80 || r >= 0xa0 && r <= 0xff: // As in Latin-1.
			b.WriteByte(byte(r))
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
