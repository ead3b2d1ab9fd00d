package kit

import "testing"

func TestLocales(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, true},
		{map[string]string{"LANG": "C.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.utf8"}, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, false},
		{map[string]string{"LANG": "en_US.ISO-8859-1", "LC_CTYPE": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "TERM": "dumb"}, false},
	} {
		if got := CanUnicode(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}
