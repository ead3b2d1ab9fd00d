package table

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// limitsVariable names the environment variable that raises limits, for example
// line=64M,ratio=1000.
const limitsVariable = "DGPLAB_CSV_LIMITS"

// limit is one of the limits for a table file.
type limit int

const (
	lineLimit    limit = iota // bytes of a row or a comment
	cellLimit                 // bytes of a cell
	columnLimit               // cells of a row
	ratioLimit                // ratio of text size to compressed size
	numberLimit               // cells of the table
	wordLimit                 // text cells of the table
	textLimit                 // total bytes of distinct strings per column
	numberLimits              // number of limits
)

// limitNames are the names of the limits in the environment variable.
var limitNames = [numberLimits]string{"line", "cell", "columns", "ratio", "numbers", "words", "text"}

// limits bounds the content of a table file, so a wrong or malicious file causes an error before it
// exhausts memory. Real tables are far below the limits, and users can raise them.
type limits [numberLimits]int64

// standardLimits allows tables of up to 1 GB of numbers. Compression by deflate reaches at most
// 1032 to 1 (zlib.net/zlib_tech.html); tables of numbers reach 3 to 50.
var standardLimits = limits{
	lineLimit: 8 << 20, cellLimit: 64 << 10, columnLimit: 100_000, ratioLimit: 300,
	numberLimit: 1 << 27, wordLimit: 1 << 27, textLimit: 64 << 20,
}

// ratioFloor is the size of the text below which any compression ratio is allowed.
const ratioFloor = 64 << 20

// limitsOf returns the limits of this process.
func limitsOf() (limits, error) {
	l, err := parseLimits(os.Getenv(limitsVariable))
	if err != nil {
		return l, fmt.Errorf("%s: %w", limitsVariable, err)
	}
	return l, nil
}

// parseLimits parses limits such as line=64M,ratio=1000, where K, M and G are powers of 1024.
func parseLimits(text string) (limits, error) {
	l := standardLimits
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		k := limitNamed(strings.TrimSpace(name))
		n, ok := parseSize(strings.TrimSpace(value))
		if k < 0 || !ok {
			return l, fmt.Errorf("%s: want a limit and a size, such as line=64M; the limits are %s",
				Excerpt(part), strings.Join(limitNames[:], ", "))
		}
		l[k] = n
	}
	return l, nil
}

func limitNamed(name string) limit {
	for k, known := range limitNames {
		if name == known {
			return limit(k)
		}
	}
	return -1
}

// sizeUnits are the suffixes of sizes.
const sizeUnits = "KMG"

// parseSize parses a positive integer with an optional unit.
func parseSize(text string) (int64, bool) {
	unit := int64(1)
	if text != "" {
		if k := strings.IndexByte(sizeUnits, text[len(text)-1]); k >= 0 {
			text, unit = text[:len(text)-1], 1<<(10*(k+1))
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n * unit, err == nil && n > 0 && n <= math.MaxInt64/4/unit
}

// formatSize is the inverse of parseSize.
func formatSize(n int64) string {
	unit := ""
	for k := 0; k < len(sizeUnits) && n%1024 == 0; k++ {
		n, unit = n/1024, sizeUnits[k:k+1]
	}
	return strconv.FormatInt(n, 10) + unit
}

// exceeded returns the message for an exceeded limit, with advice on how to raise it. format
// contains a verb for the value of the limit.
func (l limits) exceeded(k limit, format string) string {
	return fmt.Sprintf(format+"; set %s=%s=%s to allow twice as much", formatSize(l[k]), limitsVariable,
		limitNames[k], formatSize(2*l[k]))
}
