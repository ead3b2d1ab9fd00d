package dgp

import (
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// sizeOf returns the Size of the named family.
func sizeOf(t *testing.T, name string, data family.Data, set map[string]string) family.Size {
	t.Helper()
	for _, spec := range Families() {
		if spec.Name != name {
			continue
		}
		values, err := family.Resolve(spec.Hyperparameters, set)
		if err != nil {
			t.Fatal(err)
		}
		n, d := data.X.Dims()
		size, err := spec.Size(values, n, d, 1)
		if err != nil {
			t.Fatal(err)
		}
		return size
	}
	t.Fatalf("no family %s", name)
	return family.Size{}
}

func TestLargestModelTakesTerabytes(t *testing.T) {
	set := map[string]string{"layers": "10", "width": "64", "inducing": "4096"}
	if got := sizeOf(t, "star", familytest.Wave(5000, 1), set).Memory; got < 1e12 {
		t.Errorf("%v bytes", got)
	}
}
