package kit

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestCatchPanic(t *testing.T) {
	var list []int
	const failed = "internal error: "
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() {}, ""},
		{func() { list[3]++ }, failed +
			"runtime error: index out of range [3] with length 0 (catchpanic_test.go:"},
		{func() { panic(errors.New("no way\nand a stack")) }, failed + "no way (catchpanic_test.go:"},
	} {
		err := CatchPanic(c.do)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		tried := Try(func() error { c.do(); return nil })
		if fmt.Sprint(tried) != fmt.Sprint(err) {
			t.Errorf("tried: %v, want %v", tried, err)
		}
	}
	failure := errors.New("no file")
	if err := Try(func() error { return failure }); err != failure {
		t.Errorf("%v, want %v", err, failure)
	}
}
