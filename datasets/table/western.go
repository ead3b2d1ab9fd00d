package table

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// isWestern reports whether the head of a text is in Windows-1252 instead of UTF-8: it has bytes beyond
// ASCII, and none of them form a character in UTF-8.
func isWestern(head []byte) bool {
	odd := false
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if n > 1 {
			return false
		}
		odd = odd || r == utf8.RuneError && utf8.FullRune(head)
		head = head[n:]
	}
	return odd
}

// upper1252 holds the characters 0x80 to 0x9f of Windows-1252; the others are those of Unicode. The five
// undefined ones are replacement characters. Source: the mapping of windows-1252 in the Encoding Standard,
// encoding.spec.whatwg.org/index-windows-1252.txt, where undefined ones are control characters.
var upper1252 = []rune("€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ")

// western converts Windows-1252, and with it Latin-1, to UTF-8.
type western struct {
	text io.Reader
	raw  [4096]byte
	utf8 bytes.Buffer
}

// Read implements io.Reader.
func (w *western) Read(p []byte) (int, error) {
	if w.utf8.Len() == 0 {
		n, err := w.text.Read(w.raw[:])
		for _, b := range w.raw[:n] {
			r := rune(b)
			if b >= 0x80 && b < 0xa0 {
				r = upper1252[b-0x80]
			}
			w.utf8.WriteRune(r)
		}
		if n == 0 {
			return 0, err
		}
	}
	return w.utf8.Read(p)
}
