package figure

import (
	"bytes"
	"regexp"
)

// mendSVG corrects three mistakes of gonum/plot in SVG files: the type of images becomes PNG instead of JPEG
// (programs that trust the type omit them), images fill their rectangle regardless of its proportions, and
// text falls back on other sans-serif fonts. It also makes the file smaller.
func mendSVG(file []byte) []byte {
	const fonts = `font-family="Liberation Sans,Arial,Helvetica,sans-serif" `
	const usual = "font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;"
	file = bytes.Replace(file, []byte("<svg "), []byte("<svg "+fonts), 1)
	file = bytes.ReplaceAll(file, []byte(usual), nil)
	file = bytes.ReplaceAll(file, []byte("data:image/jpg;base64,"), []byte("data:image/png;base64,"))
	file = bytes.ReplaceAll(file, []byte("<image "), []byte(`<image preserveAspectRatio="none" `))
	return groupPaths(file)
}

// path matches a line with a path: its corners and its style.
var path = regexp.MustCompile(`^<path d="([^"]*)" style="([^"]*)" />$`)

// groupPaths puts consecutive paths of the same style into a group, which has the style once.
func groupPaths(file []byte) []byte {
	var out bytes.Buffer
	style := "" // of the open group
	lines := bytes.Split(file, []byte("\n"))
	for i, line := range lines {
		found := path.FindSubmatch(line)
		if style != "" && (found == nil || string(found[2]) != style) {
			out.WriteString("</g>\n")
			style = ""
		}
		if found != nil && style == "" && i+1 < len(lines) {
			next := path.FindSubmatch(lines[i+1])
			if next != nil && bytes.Equal(next[2], found[2]) {
				style = string(found[2])
				out.WriteString(`<g style="` + style + "\">\n")
			}
		}
		if style != "" {
			line = append(append([]byte(`<path d="`), found[1]...), `"/>`...)
		}
		out.Write(line)
		if i+1 < len(lines) {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
