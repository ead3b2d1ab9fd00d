package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// source is a file that can be read several times, or a stream that can be read once.
type source struct {
	name   string
	file   io.ReadSeeker // nil for a stream
	stream *bufio.Reader
	limits limits
}

// newSource returns the file of a reader, or its stream if it cannot seek.
func newSource(name string, r io.Reader, l limits) *source {
	file, ok := r.(io.ReadSeeker)
	if !ok {
		return &source{name: name, stream: bufio.NewReaderSize(r, peekBytes), limits: l}
	}
	return &source{name: name, file: file, limits: l}
}

// formats lists files that are not tables of text, by their first bytes, with the way to convert them.
var formats = []struct{ magic, name, remedy string }{
	{"\x1f\x8b", gzipName, ""},
	{"PAR1", parquetName, ""},
	{"PK\x03\x04", zipName, "unpack it with unzip"},
	{"BZh", "a bzip2 file", "unpack it with bunzip2"},
	{"\xfd7zXZ\x00", "an xz file", "unpack it with unxz"},
	{"\x28\xb5\x2f\xfd", "a zstd file", "unpack it with unzstd"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it"},
	{"\x93NUMPY", "a NumPy array", "write it with numpy.savetxt(path, array, delimiter=',')"},
	{"\x89HDF", "an HDF5 file", "write its table as CSV or Parquet"},
	{"ARROW1", "an Arrow file", "write it with pandas.read_feather(path).to_parquet(path)"},
	{"FEA1", "a Feather file", "write it with pandas.read_feather(path).to_parquet(path)"},
	{"\xd0\xcf\x11\xe0", "an old Excel file", "save it as .xlsx or CSV"},
	{"SQLite format 3", "an SQLite database", "export a table as CSV"},
	{"RDX", "an R data file", "write it with write.csv in R"},
	{"%PDF", "a PDF document", "export the table as CSV"},
	{"\x80\x04", "a Python pickle", "write it with pandas.read_pickle(path).to_parquet(path)"},
	{"\x80\x05", "a Python pickle", "write it with pandas.read_pickle(path).to_parquet(path)"},
}

const (
	gzipName    = "a gzip file"
	parquetName = "a Parquet file"
	zipName     = "a zip archive"
)

// format returns the format of a file by its first bytes, or "" for text.
func (s *source) format() (name string, err error) {
	raw, err := s.raw()
	if err != nil {
		return "", err
	}
	head, err := raw.Peek(16)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	for _, f := range formats {
		if !bytes.HasPrefix(head, []byte(f.magic)) {
			continue
		}
		if f.name == zipName && s.isWorkbook() {
			return excelName, nil
		}
		if f.remedy != "" {
			return "", &Error{Problem: "this is " + f.name + "; " + f.remedy}
		}
		return f.name, nil
	}
	return "", nil
}

// encodings of texts without a mark.
const (
	utf8Name    = "utf-8"
	westernName = "windows-1252"
)

// text opens the text of the file from its beginning: decompressed, in UTF-8, without a byte order mark and
// with line feeds as line ends. If the encoding is not known, it is that of the whole text: UTF-8, or
// Windows-1252 if no character beyond ASCII is valid in UTF-8. The name of the encoding is returned, and a
// text of both kinds is an *Error.
func (s *source) text(name string) (text io.Reader, found string, err error) {
	raw, err := s.bytes()
	if err != nil {
		return nil, "", err
	}
	head, _ := raw.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) && (name == "" || name == utf8Name):
		_, _ = raw.Discard(3)
		return &lineEnds{text: raw}, utf8Name, nil
	case name == "" && len(head) > 1 && (string(head[:2]) == "\xff\xfe" || string(head[:2]) == "\xfe\xff"):
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
		return &lineEnds{text: decoder.Reader(raw)}, "utf-16", nil
	case name == "" && s.file == nil:
		name = utf8Name
	case name == "":
		name, err = s.detectEncoding(raw)
		if err != nil {
			return nil, "", err
		}
		raw, err = s.bytes()
		if err != nil {
			return nil, "", err
		}
	}
	code, err := encodingNamed(name)
	if err != nil {
		return nil, "", err
	}
	if name == utf8Name {
		return &lineEnds{text: raw}, name, nil
	}
	return &lineEnds{text: code.NewDecoder().Reader(raw)}, name, nil
}

// encodingNamed returns the encoding with a name of the Encoding Standard, encoding.spec.whatwg.org.
func encodingNamed(name string) (encoding.Encoding, error) {
	switch strings.ToLower(name) {
	case westernName:
		return charmap.Windows1252, nil
	case "utf-16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	}
	code, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("encoding=%s: want the name of an encoding, such as utf-8, windows-1252, "+
			"iso-8859-2, utf-16le or shift_jis", name)
	}
	return code, nil
}

// raw opens the bytes of the file from its beginning.
func (s *source) raw() (*bufio.Reader, error) {
	if s.file == nil {
		return s.stream, nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(s.file, peekBytes), nil
}

// bytes opens the decompressed bytes of the file.
func (s *source) bytes() (*bufio.Reader, error) {
	raw, err := s.raw()
	if err != nil {
		return nil, err
	}
	head, err := raw.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(head) != "\x1f\x8b" {
		return raw, nil
	}
	packed := &counted{Reader: raw}
	plain, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(&unzipped{Reader: plain, limits: s.limits, packed: packed}, peekBytes), nil
}

// detectEncoding reads a text to its end and returns its encoding, utf8Name or westernName.
func (s *source) detectEncoding(raw *bufio.Reader) (string, error) {
	unicode := false   // a character beyond ASCII is valid
	var western *Error // the first byte that is invalid
	line, nuls := 1, 0
	var rest []byte
	for {
		chunk, err := raw.Peek(max(raw.Buffered(), 1))
		text := chunk
		if len(rest) > 0 {
			text = append(rest, chunk...)
		}
		_, _ = raw.Discard(len(chunk))
		ended := len(chunk) == 0
		if ended && err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		rest = nil
		start := 0
		for at := 0; at < len(text); {
			c := text[at]
			if c < utf8.RuneSelf {
				switch c {
				case '\n':
					line, start = line+1, at+1
				case 0:
					nuls++
				}
				at++
				continue
			}
			if !ended && !utf8.FullRune(text[at:]) {
				rest = bytes.Clone(text[at:])
				break
			}
			_, size := utf8.DecodeRune(text[at:])
			unicode = unicode || size > 1
			if size == 1 && western == nil {
				western = &Error{Line: line, Problem: fmt.Sprintf("the byte %#x after %s is not UTF-8",
					c, Excerpt(string(text[max(start, at-10):at])))}
			}
			at += size
		}
		if ended {
			break
		}
	}
	switch {
	case western != nil && unicode:
		western.Problem += ", but other characters are"
		western.Remedies = []Answer{Choose("encoding", westernName, "reads such bytes as Western European")}
		return "", western
	case nuls > 0 && western == nil && !unicode:
		return utf8Name, nil // the cell with it is reported
	case western != nil:
		return westernName, nil
	}
	return utf8Name, nil
}

// lineEnds replaces CR LF, and CR alone, by LF.
type lineEnds struct {
	text io.Reader
	cr   bool // the last byte was CR
}

// Read implements io.Reader.
func (l *lineEnds) Read(p []byte) (int, error) {
	for {
		n, err := l.text.Read(p)
		if !l.cr && bytes.IndexByte(p[:n], '\r') < 0 {
			return n, err
		}
		kept := 0
		for _, c := range p[:n] {
			if c == '\n' && l.cr {
				l.cr = false
				continue
			}
			l.cr = c == '\r'
			if l.cr {
				c = '\n'
			}
			p[kept] = c
			kept++
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}

// unzipped reads the text of a compressed file. It returns an error if the text is much longer than
// the compressed file, which never happens for tables of numbers.
type unzipped struct {
	io.Reader
	limits limits
	packed *counted
	length int64
}

// Read implements io.Reader.
func (u *unzipped) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	u.length += int64(n)
	if u.length > ratioFloor && u.length/u.limits[ratioLimit] > u.packed.n {
		return n, &Error{
			Problem: u.limits.exceeded(ratioLimit,
				"the file is compressed to less than 1/%s of its text, unlike any table of numbers"),
		}
	}
	return n, err
}

// counted counts the bytes read.
type counted struct {
	io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}
