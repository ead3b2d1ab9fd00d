package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestShapes(t *testing.T) {
	for text, want := range map[string]Shape{
		"1": 0, "-12e3": 0, "0.5": PointDecimal, ".5": PointDecimal, "5.": PointDecimal,
		"1.2345": PointDecimal, "1.234e5": PointDecimal, "1234.567": PointDecimal, "0.123": PointDecimal,
		"0,5": CommaDecimal, "1,23": CommaDecimal, "0,123": CommaDecimal, "1,234": MaybeComma,
		"-1.234": MaybePoint, "1,234,567": CommaGroup, "1.234.567": PointGroup,
		"1,234.5": CommaGroup | PointDecimal, "1.234.567,5": PointGroup | CommaDecimal, "1 234": OtherGroup,
		"1'234'567": OtherGroup, "1 234,5": OtherGroup | CommaDecimal,
		"1\u00a0234": OtherGroup, "1\u202f234\u2009567": OtherGroup, "12 34": 0, "1,2,3": 0, "1.2.3": 0,
		"1,23,456": 0, "1234,567,890": 0, "1.234,567.8": 0, "x": 0, "": 0, "-": 0, "1,234x": 0, "1'23": 0,
	} {
		if got := ShapeOf(text); got != want {
			t.Errorf("%q: %b, want %b", text, got, want)
		}
	}
}

func TestNotations(t *testing.T) {
	comma, german := Notation{Decimal: ',', Strict: true}, Notation{Decimal: ',', Group: '.'}
	english := Notation{Decimal: '.', Group: ','}
	for _, tt := range []struct {
		n    Notation
		text string
		v    float64
		ok   bool
	}{
		{PlainNotation, "1.5", 1.5, true}, {PlainNotation, "1,5", 0, false},
		{PlainNotation, "1 234.5", 1234.5, true},
		{PlainNotation, "1'234", 1234, true},
		{comma, "1,5", 1.5, true}, {comma, "1,234", 1.234, true}, {comma, "1.5", 0, false},
		{comma, "1 234", 0, false}, {comma, "-,5e2", -50, true},
		{german, "1.234", 1234, true}, {german, "1.234,5", 1234.5, true}, {german, "1.5", 0, false},
		{german, "1,234", 1.234, true}, {german, "12", 12, true},
		{english, "1,234", 1234, true}, {english, "1,234.5", 1234.5, true}, {english, "1,5", 0, false},
		{english, "1.234", 1.234, true}, {english, "1\u202f234", 1234, true},
	} {
		v, _, ok, err := tt.n.Parse(tt.text)
		if v != tt.v || ok != tt.ok || err != nil {
			t.Errorf("%+v, %q: %v, %v, %v; want %v, %v", tt.n, tt.text, v, ok, err, tt.v, tt.ok)
		}
	}
	for length, want := range map[int]bool{maxDigits: true, maxDigits + 1: false} {
		text := "1," + strings.Repeat("0", length-2)
		if _, _, ok, err := comma.Parse(text); ok != want || err != nil {
			t.Errorf("a number of %d bytes: %v, %v", length, ok, err)
		}
	}
	if _, _, ok, err := comma.Parse("1,5e999"); ok || err == nil {
		t.Error("a number out of range is read")
	}
}

func TestDecide(t *testing.T) {
	for _, tt := range []struct {
		shown     Shape
		delimiter rune
		items     []string
		want      Notation
		unsure    Shape
	}{
		{0, ',', nil, PlainNotation, 0},
		{PointDecimal, ';', nil, PlainNotation, 0},
		{PointDecimal | MaybePoint, ';', nil, PlainNotation, 0},
		{CommaDecimal, ';', nil, Notation{Decimal: ','}, 0},
		{CommaDecimal | MaybePoint, ';', nil, Notation{Decimal: ',', Group: '.'}, 0},
		{PointGroup, ';', nil, Notation{Decimal: ',', Group: '.'}, 0},
		{CommaGroup | MaybeComma, ',', nil, Notation{Decimal: '.', Group: ','}, 0},
		{PointDecimal | MaybeComma, ',', nil, Notation{Decimal: '.', Group: ','}, 0},
		{PointDecimal | CommaDecimal, ';', nil, PlainNotation, 0},
		{MaybePoint, ',', nil, PlainNotation, 0},
		{MaybePoint, ';', nil, PlainNotation, MaybePoint},
		{MaybeComma, ',', nil, PlainNotation, MaybeComma},
		{MaybeComma | MaybePoint, ';', nil, PlainNotation, MaybeComma},
		{MaybeComma, ',', []string{"decimal=comma"}, Notation{Decimal: ','}, 0},
		{MaybeComma, ',', []string{"thousands=comma"}, Notation{Decimal: '.', Group: ','}, 0},
		{MaybeComma, ',', []string{"thousands=blank"}, Notation{Decimal: ','}, 0},
		{MaybePoint, ';', []string{"decimal=point"}, PlainNotation, 0},
		{MaybePoint, ';', []string{"thousands=point"}, Notation{Decimal: ',', Group: '.'}, 0},
		{PointDecimal, ';', []string{"decimal=comma"}, Notation{Decimal: ','}, 0},
	} {
		c, err := ParseChoices(tt.items)
		if err != nil {
			t.Fatal(err)
		}
		if n, unsure := DecideNotation(tt.shown, tt.delimiter, c); n != tt.want || unsure != tt.unsure {
			t.Errorf("%b, %q: %+v, %b; want %+v, %b", tt.shown, tt.items, n, unsure, tt.want, tt.unsure)
		}
	}
}

// daysSince1970 agrees with package time for four centuries.
func TestDays(t *testing.T) {
	for day := time.Date(1799, 12, 25, 0, 0, 0, 0, time.UTC); day.Year() < 2205; day = day.AddDate(0, 0, 1) {
		if got := daysSince1970(day.Year(), int(day.Month()),
			day.Day()); int64(got)*secondsOfDay != day.Unix() {
			t.Fatalf("%v is day %d", day, got)
		}
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"2021-04-03": "2021-04-03T00:00:00Z", "2021/4/3": "2021-04-03T00:00:00Z",
		"2021-04": "2021-04-01T00:00:00Z", "3.4.2021": "2021-04-03T00:00:00Z",
		"3 Apr 2021":    "2021-04-03T00:00:00Z",
		"April 3, 2021": "2021-04-03T00:00:00Z", "2021-04-03T15:04:05Z": "2021-04-03T15:04:05Z",
		"2021-04-03 15:04": "2021-04-03T15:04:00Z", "2021-04-03T15:04:05+02:00": "2021-04-03T13:04:05Z",
		"2021-04-03T23:04:05-0130": "2021-04-04T00:34:05Z", "03.04.2021 07:08:09": "2021-04-03T07:08:09Z",
		"2021-04-03 12:00:60.5+02": "2021-04-03T10:01:00.5Z",
		"3 Apr 2021 10:11":         "2021-04-03T10:11:00Z", "03-Apr-2021": "2021-04-03T00:00:00Z",
	} {
		layout := layoutOf(&words{texts: []string{text}, counts: []int{1}}, "")
		seconds, ok := layout.Parse(text, new(DatesSeen))
		when, err := time.Parse(time.RFC3339, want)
		if err != nil || !ok || seconds != float64(when.UnixNano())/1e9 {
			t.Errorf("%q: %v, %v; want %v", text, time.Unix(int64(seconds), 0).UTC(), ok, want)
		}
	}
	for _, text := range []string{"2021-13-01", "2021-02-29", "31.4.2021", "32/01/2021", "2021-04-03T25:00",
		"1.2", "1.2.3", "12", "2021", "2021.04.03", "3-4-21", "1.2.10", "2021-04/03", "10:11:12",
		"0000-01-01", "yesterday", "2021-04-03 24:00", "2021-04-03 12:60", "2021-04-03 1:2",
		"2021-04-03 12:30:5", "2021-04-03 12:30:61", "2021-04-03 12:30:x5", "2021-04-03 123:00",
		"2021-04-03 12:30+15:00", "2021-04-03 12:30+0", "2021-04-03 12:30+01:60", "2021-04-03 12",
		"2021-04-03 1:02:03:04", "3-4/2021", "3.4-2021", "2021.4-3"} {
		if d, ok := readDate(text); ok {
			t.Errorf("%q is a date: %+v", text, d)
		}
	}
}

// The kind of a column follows from all of its cells.
func TestKinds(t *testing.T) {
	for text, want := range map[string]Kind{
		"1 2 3": Number, "? ? ?": Number, "2021-04-03 2021-04-04": Date, "x 1 2": Number,
		"yes No YES": Boolean, "t F": Boolean, "yes false yes": Category, "red blue red": Category,
		"a b c": Text, "a": Category, "true false": Boolean, "07:45 12:00": Number, "5% 7%": Number,
		"1h30m 2h": Number, "1.2.10 1.2.11 1.2.10": Category, "5m 7m 5m": Category,
	} {
		cells := strings.Fields(text)
		if got := described(t, strings.Join(cells, ",1.5\n")+",2.5\n").Columns[0].Kind; got != want {
			t.Errorf("%q is a %v, want %v", text, got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	missing := "NA na N/A n/a n.a. N.A. k.A. NaN nan NULL null nil None #N/A #NA <NA> ? - --"
	for _, text := range strings.Fields(missing) {
		if !IsMissing(text) {
			t.Errorf("%q is not missing", text)
		}
	}
	for _, text := range strings.Fields("0 none x . -1 ?? no NAN1") {
		if IsMissing(text) {
			t.Errorf("%q is missing", text)
		}
	}
}

func TestSummary(t *testing.T) {
	table := Description{Rows: 400, Dropped: 12, Columns: []Column{
		{Kind: Number}, {Kind: Number, Log: true}, {Kind: Category, Levels: make([]Level, 3)}, {Kind: Date,
			Unit: "days since 1970"}, {Kind: Text, Name: "id", Role: Ignored}, {Kind: Number, Role: Target}}}
	const want = "12 rows of 400 dropped for missing cells; 6 columns: 3 numbers, 1 category of 3 levels, " +
		"1 date in days since 1970, 1 logarithm, 1 ignored (id)"
	if got := table.Summary(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := (&Description{Rows: 3, Columns: make([]Column, 2)}).Summary(); got != "" {
		t.Errorf("a plain table: %s", got)
	}
}

func TestEncode(t *testing.T) {
	three := Column{Kind: Category, Levels: make([]Level, 3)}
	two := Column{Kind: Category, Levels: make([]Level, 2)}
	for _, tt := range []struct {
		c     *Column
		level int
		want  []float64
	}{{&three, 1, []float64{0, 1, 0}}, {&two, 1, []float64{1}}, {&two, 0, []float64{0}},
		{&three, -1, []float64{math.NaN(), math.NaN(), math.NaN()}}} {
		dst := make([]float64, tt.c.Width())
		tt.c.Encode(dst, tt.level)
		if !slices.EqualFunc(dst, tt.want, func(a, b float64) bool {
			return a == b || math.IsNaN(a) && math.IsNaN(b)
		}) {
			t.Errorf("level %d of %d: %v", tt.level, len(tt.c.Levels), dst)
		}
	}
}

// FuzzNotation parses numbers in every notation. The result must be finite or an error, and a
// number with an unambiguous decimal sign must never be read with the other sign.
func FuzzNotation(f *testing.F) {
	for _, text := range []string{"1,234", "1.234", "1.234,5", "1,234.5", "1 234", "1'234'567", "\u00a01",
		"1\u202f234,5", "-0,5e-3", "+", "1e", ",", "1,2,3", "0,123"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shape := ShapeOf(text)
		for _, decimal := range []byte{'.', ','} {
			for _, group := range []byte{0, '.', ','} {
				if group == decimal {
					continue
				}
				v, shown, ok, err := Notation{Decimal: decimal, Group: group}.Parse(text)
				if ok && (err != nil || math.IsNaN(v) || math.IsInf(v, 0)) || shown != shape {
					t.Errorf("%q: %v, %v, %v, shows %b and %b", text, v, ok, err, shown, shape)
				}
				if ok && shape&CommaDecimal != 0 && decimal != ',' ||
					ok && shape&PointDecimal != 0 && decimal != '.' {
					t.Errorf("%q is read with the decimal sign %c", text, decimal)
				}
			}
		}
		if shape&(MaybePoint|MaybeComma) != 0 {
			small, _, okSmall, _ := Notation{Decimal: '.', Group: ','}.Parse(text)
			large, _, okLarge, _ := Notation{Decimal: ',', Group: '.'}.Parse(text)
			if !okSmall || !okLarge || math.Abs(math.Abs(math.Log10(math.Abs(small/large)))-3) > 1e-9 {
				t.Errorf("%q may be %v or %v", text, small, large)
			}
		}
	})
}

// FuzzDates checks that dates are parsed without panics as seconds within the years 1 to 9999.
func FuzzDates(f *testing.F) {
	for _, text := range []string{"2021-04-03", "03/04/2021 10:11", "3.4.2021", "3 Apr 2021 10:11:12.5",
		"2021-04-03T15:04:05.678-01:30", "2021-04", "31-12-2020", "T:", "2021-04-03 :"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := &words{texts: []string{text}, counts: []int{1}}
		_, isDate := readDate(text)
		for _, order := range []string{"", DayFirst, MonthFirst} {
			seconds, ok := layoutOf(w, order).Parse(text, new(DatesSeen))
			if ok && !(math.Abs(seconds) < 3e11) {
				t.Errorf("%q is %v", text, seconds)
			}
			if isDate && !ok && order == "" {
				t.Errorf("%q is a date that is not read", text)
			}
		}
	})
}

// FuzzChoices checks that choices survive a round trip through Items.
func FuzzChoices(f *testing.F) {
	for _, text := range []string{"ignore=id", "missing=drop", "levels=60\nlog=a\nlog=b",
		"decimal=comma\nthousands=point", "decimal=comma\nthousands=comma", "dates=dmy",
		"categorical=a=b", "=", "levels=1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseChoices(strings.Split(text, "\n"))
		if err != nil {
			return
		}
		back, err := ParseChoices(c.Items())
		if err != nil || !slices.Equal(back.Items(), c.Items()) || c.IsZero() != (len(c.Items()) == 0) {
			t.Errorf("%q is written as %q, read as %q: %v", text, c.Items(), back.Items(), err)
		}
	})
}

// described describes a table of a column a and a target y.
func described(t *testing.T, text string) *Use {
	t.Helper()
	read, err := Read(t.Context(), "f.csv", strings.NewReader("a,y\n"+text), ReadOptions{Labels: true})
	if err != nil {
		t.Fatal(err)
	}
	d, err := read.Describe(nil)
	if err != nil {
		t.Fatal(err)
	}
	read.Measure(&d.Description)
	return d
}

// Up to 20 different whole numbers, each in two rows on average, may be classes or, if none is negative,
// counts.
func TestTargetsOfFewNumbers(t *testing.T) {
	for _, c := range []struct {
		distinct, rows, first int
		answers               int // 0 for no question
	}{
		{3, 6, 0, 3}, {3, 6, -1, 2}, {3, 5, 0, 0}, {20, 40, 0, 3}, {20, 39, 0, 0}, {21, 42, 0, 0},
	} {
		var text strings.Builder
		for i := range c.rows {
			fmt.Fprintf(&text, "%d,%d\n", i, c.first+i%c.distinct)
		}
		answers := 0
		if q := described(t, text.String()).Columns[1].Question; q != nil {
			answers = len(q.Answers)
		}
		if answers != c.answers {
			t.Errorf("%+v: %d answers", c, answers)
		}
	}
	if d := described(t, "1,1\n2,2\n3,1.5\n4,1\n5,2\n6,1.5\n"); d.Trouble != nil || d.Labelled {
		t.Errorf("a fraction: %v", d.Trouble)
	}
}

// By default a category has at most 50 levels.
func TestDefaultLevels(t *testing.T) {
	for levels, good := range map[int]bool{DefaultLevels: true, DefaultLevels + 1: false} {
		var text strings.Builder
		for i := range 2 * levels {
			fmt.Fprintf(&text, "u%d,%d.5\n", i/2, i)
		}
		d := described(t, text.String())
		if c := d.Columns[0]; (d.Trouble == nil) != good || len(c.Spark) != Bins || c.Spark[Bins-1] != 2 ||
			c.Distinct != levels {
			t.Errorf("%d levels: %v, %d distinct, histogram %v", levels, d.Trouble, c.Distinct, c.Spark)
		}
	}
}

// At most 1000 distinct values are counted; the number is one larger if there are more.
func TestManyDistinctValues(t *testing.T) {
	for rows, want := range map[int]int{999: 999, 1000: 1000, 1001: 1001, 1002: 1001} {
		var text strings.Builder
		for i := range rows {
			fmt.Fprintf(&text, "u%d,%d.5\n", i, i)
		}
		d := described(t, text.String())
		if a, y := d.Columns[0], d.Columns[1]; a.Kind != Text || a.Distinct != want || y.Distinct != want {
			t.Errorf("%d rows: %d distinct texts, %d distinct numbers; want %d",
				rows, a.Distinct, y.Distinct, want)
		}
	}
}

// Numbers of levels count, in ascending order, before other names.
func TestCompareLabels(t *testing.T) {
	labels := []string{"-1", "2", "2.0", "10", "a", "b"}
	for i, a := range labels {
		for j, b := range labels {
			if got := CompareLabels(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}
