package figure

import "testing"

// Consecutive paths of one style have it once, and their order stays.
func TestPathsOfOneStyle(t *testing.T) {
	file := `<path d="M0,0" style="a" />
<path d="M1,1" style="a" />
<text>b</text>
<path d="M2,2" style="a" />
<path d="M3,3" style="b" />
<path d="M4,4" style="b" />
</svg>`
	want := `<g style="a">
<path d="M0,0"/>
<path d="M1,1"/>
</g>
<text>b</text>
<path d="M2,2" style="a" />
<g style="b">
<path d="M3,3"/>
<path d="M4,4"/>
</g>
</svg>`
	if got := string(groupPaths([]byte(file))); got != want {
		t.Errorf("the paths are\n%s\nwant\n%s", got, want)
	}
}
