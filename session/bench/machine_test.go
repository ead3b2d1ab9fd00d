package bench

import (
	"runtime"
	"testing"
)

func TestCPUModel(t *testing.T) {
	for text, want := range map[string]string{
		"processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some(R)  CPU @ 2.00GHz\nmodel name\t: " +
			"Other\n": "Some(R) CPU @ 2.00GHz",
		"processor\t: 0\nBogoMIPS\t: 50.00\n": "",
		"":                                    "",
	} {
		if got := cpuModel(text); got != want {
			t.Errorf("model %q; want %q", got, want)
		}
	}
}

func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	if m.CPU == "" || m.Cores != runtime.GOMAXPROCS(0) || m.Kernels == "" || m.Go != runtime.Version() {
		t.Errorf("got %+v", m)
	}
}
