package golden

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"
)

// Filler fills values with seeded random data, most of them plausible. The numbers have few digits.
type Filler struct {
	*rand.Rand
	// Texts holds the possible values of types of strings.
	Texts map[reflect.Type][]string
	// Words holds the possible values of all other strings.
	Words []string

	types  map[reflect.Type]func() any
	fields map[string]func() any // by name and type
}

// NewFiller returns a filler with a seed and words.
func NewFiller(seed uint64, words ...string) *Filler {
	return &Filler{rand.New(rand.NewPCG(seed, 0)), map[reflect.Type][]string{}, words,
		map[reflect.Type]func() any{}, map[string]func() any{}}
}

// NewTypicalFiller returns a filler with typical words, local times, durations and errors. Its integers are
// not negative.
func NewTypicalFiller(seed uint64) *Filler {
	f := NewFiller(seed, "", "a", "b", "star", "svgp", "energy", "two words", "7", "0.5", "wine_red",
		"x/y.csv",
		"naïve", "a|b", "bad\nluck", "\x1b[31mred", "50%")
	Draw(f, func() int { return max(0, f.Int()) })
	Draw(f, func() time.Time {
		return time.Date(2026, time.Month(1+f.IntN(12)), 2+f.IntN(20), 10, f.IntN(60), f.IntN(60), 0,
			time.Local)
	})
	Draw(f, func() time.Duration {
		return time.Duration(float64(f.IntN(1000)) * math.Pow(10, float64(f.IntN(11))))
	})
	Draw(f, func() error {
		return Pick(f, nil, nil, errors.New("no space left"), errors.New("two\nlines"))
	})
	return f
}

// Draw sets the function that draws values of a type.
func Draw[T any](f *Filler, draw func() T) {
	f.types[reflect.TypeFor[T]()] = func() any { return draw() }
}

// Among sets the possible values of a type.
func Among[T any](f *Filler, values ...T) { Draw(f, func() T { return Pick(f, values...) }) }

// Field sets the possible values of all struct fields with a name and type T.
func Field[T any](f *Filler, name string, values ...T) {
	f.fields[name+" "+reflect.TypeFor[T]().String()] = func() any { return Pick(f, values...) }
}

// Of returns a value of a type.
func Of[T any](f *Filler) T {
	var value T
	f.Fill(&value)
	return value
}

// Word returns a random word.
func (f *Filler) Word() string { return Pick(f, f.Words...) }

// Options sets the possible values of a type of strings.
func Options[T ~string](f *Filler, values ...T) {
	var texts []string
	for _, v := range values {
		texts = append(texts, string(v))
	}
	f.Texts[reflect.TypeFor[T]()] = texts
}

// Fill sets all exported fields of the value that a pointer points to.
func (f *Filler) Fill(into any) { f.fill(reflect.ValueOf(into).Elem(), 0) }

// Pick returns a random element of a list.
func Pick[T any](f *Filler, list ...T) T { return list[f.IntN(len(list))] }

// Float returns a random number. It is rarely awkward.
func (f *Filler) Float() float64 {
	if f.IntN(12) == 0 {
		return Pick(f, awkward...)
	}
	x := f.NormFloat64() * Pick(f, 0.01, 0.3, 1, 1, 10, 1000)
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return x
}

// Int returns a random integer. Most are small and positive.
func (f *Filler) Int() int {
	return Pick(f, 0, 1, 2, f.IntN(10), f.IntN(100), f.IntN(1000), f.IntN(100000), f.IntN(1e9), -1)
}

// maxDepth is the depth of nested values from which pointers are nil and lists are empty.
const maxDepth = 8

// fill sets a value at a depth of nested values.
func (f *Filler) fill(v reflect.Value, depth int) {
	if draw, ok := f.types[v.Type()]; ok {
		set(v, draw())
		return
	}
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(1.7e9+int64(f.IntN(1e6)), 0).UTC()))
		return
	}
	length := f.IntN(4)
	if depth > maxDepth {
		length = 0
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(max(f.Int(), 0)))
	case reflect.Float64:
		v.SetFloat(f.Float())
	case reflect.String:
		texts := f.Texts[v.Type()]
		if len(texts) == 0 {
			texts = f.Words
		}
		v.SetString(Pick(f, texts...))
	case reflect.Pointer:
		v.SetZero()
		if length > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		v.SetZero()
		for range length {
			element := reflect.New(v.Type().Elem()).Elem()
			f.fill(element, depth+1)
			if element.Kind() == reflect.Pointer && element.IsNil() {
				continue
			}
			v.Set(reflect.Append(v, element))
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.SetZero()
		if length > 0 {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for range length {
			key := reflect.New(v.Type().Key()).Elem()
			element := reflect.New(v.Type().Elem()).Elem()
			f.fill(key, depth+1)
			f.fill(element, depth+1)
			v.SetMapIndex(key, element)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			draw, ok := f.fields[field.Name+" "+field.Type.String()]
			switch {
			case !field.IsExported():
			case ok:
				set(v.Field(i), draw())
			default:
				f.fill(v.Field(i), depth+1)
			}
		}
	}
}

// set sets a value, which can be a nil interface.
func set(v reflect.Value, to any) {
	if to == nil {
		v.SetZero()
		return
	}
	v.Set(reflect.ValueOf(to))
}
