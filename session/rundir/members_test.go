package rundir

import (
	"encoding/json"
	"reflect"
	"testing"
)

// membersOf returns the members of an object as a map.
func membersOf(text string) map[string]any {
	got := map[string]any{}
	visitMembers([]byte(text), func(key, value []byte) {
		var v any
		if err := json.Unmarshal(value, &v); err != nil {
			v = err
		}
		got[string(key)] = v
	})
	return got
}

func TestMembers(t *testing.T) {
	for _, text := range []string{
		`{}`, ` { } `, `{"a":1}`, "{\n  \"a\" : -1.5e3 ,\n  \"b\": null\n}\n",
		`{"a":{"b":[1,{"c":"}]\""}],"kl":3},"kl":4,"d":"x\\"}`,
		`{"a":[],"b":{},"c":"","":true,"e":",:"}`,
	} {
		want := map[string]any{}
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if got := membersOf(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// Invalid and truncated objects do not cause a panic.
func FuzzMembers(f *testing.F) {
	f.Add(`{"a":"\\`)
	f.Add(`]}{"a`)
	f.Fuzz(func(t *testing.T, text string) {
		got, want := membersOf(text), map[string]any{}
		if json.Unmarshal([]byte(text), &want) != nil || len(text) > 0 && text[0] != '{' {
			return
		}
		for key := range got {
			if _, ok := want[key]; !ok && json.Valid([]byte(`"`+key+`"`)) {
				var decoded string
				if json.Unmarshal([]byte(`"`+key+`"`), &decoded) == nil {
					_, ok = want[decoded]
				}
				if !ok {
					t.Errorf("%s has no member %q", text, key)
				}
			}
		}
	})
}
