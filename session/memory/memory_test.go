package memory

import (
	"errors"
	"math"
	"path"
	"runtime/debug"
	"testing"
)

func TestAdmitUntilFull(t *testing.T) {
	l := NewLedger(func() float64 { return 10e9 })
	first, err := l.Admit(6e9, false)
	if err != nil {
		t.Fatal(err)
	}
	var refused *Error
	if _, err := l.Admit(5e9, false); !errors.As(err, &refused) || *refused != (Error{5e9, 4e9}) {
		t.Errorf("5 of 4 GB: %v", err)
	}
	if err := l.Check(5e9); err == nil ||
		err.Error() != "needs about 5.0 GB of memory; 4.0 GB are available" {
		t.Errorf("5 of 4 GB: %v", err)
	}
	second, err := l.Admit(5e9, true)
	if err != nil {
		t.Errorf("forced work is refused: %v", err)
	}
	if err := l.Check(0.5e9); err == nil ||
		err.Error() != "needs about 0.5 GB of memory; 0.0 GB are available" {
		t.Errorf("next to forced work: %v", err)
	}
	second()
	first()
	if err := l.Check(10e9); err != nil {
		t.Errorf("after everything: %v", err)
	}
}

func TestProcessLedger(t *testing.T) {
	if have := Process.Free(); !(have > 0) {
		t.Errorf("%v bytes are free", have)
	}
	if err := Process.Check(1 << 50); err == nil {
		t.Error("a thousand terabytes fit")
	}
	// The memory that the process already uses is available to its work.
	l := newProcess(func() float64 { return 5e9 }, func() float64 { return 2e9 })
	if have := l.Free(); have != 7e9 {
		t.Errorf("%v bytes are free, want 7e9", have)
	}
}

// Admitted work limits the heap, unless GOMEMLIMIT is set.
func TestAdmittedWorkLimitsTheHeap(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	for _, c := range []struct {
		set  string
		want int64
	}{{"1GiB", before}, {"", 9e9}} {
		t.Setenv("GOMEMLIMIT", c.set)
		l := &Ledger{capacity: func() float64 { return 10e9 }, limit: limitHeap}
		done, err := l.Admit(1e9, false)
		if err != nil {
			t.Fatal(err)
		}
		done()
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("GOMEMLIMIT=%q: the limit is %d, want %d", c.set, got, c.want)
		}
	}
}

func TestMemInfo(t *testing.T) {
	if got := memAvailable("MemTotal:   100 kB\nMemAvailable:    64 kB\n"); got != 64*1024 {
		t.Errorf("got %v", got)
	}
	if got := memAvailable(""); !math.IsInf(got, 1) {
		t.Errorf("got %v for an empty text", got)
	}
}

func TestStatm(t *testing.T) {
	for text, want := range map[string][2]float64{
		"500 20 3 1 0 60 0\n": {500, 20}, "500 20": {500, 20}, "500": {}, "": {},
	} {
		if mapped, resident := statm(text); mapped != want[0] || resident != want[1] {
			t.Errorf("got %v, %v for %q", mapped, resident, text)
		}
	}
}

func TestControlGroups(t *testing.T) {
	const one, two = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"
	for _, c := range []struct {
		name, cgroup string
		files        map[string]string
		want         float64
	}{
		{"none", "", nil, math.Inf(1)},
		{"no limit", "0::/a\n", map[string]string{two + "/a/memory.max": "max\n",
			two + "/a/memory.current": "5\n"}, math.Inf(1)},
		{"version 2", "0::/a\n", map[string]string{two + "/a/memory.max": "100\n",
			two + "/a/memory.current": "30\n"}, 70},
		{"parent group", "0::/a/b\n", map[string]string{
			two + "/a/b/memory.max": "90\n", two + "/a/b/memory.current": "10\n",
			two + "/a/memory.max": "100\n", two + "/a/memory.current": "60\n",
		}, 40},
		{"container", "0::/host/path\n", map[string]string{two + "/memory.max": "100\n",
			two + "/memory.current": "60\n"}, 40},
		{"page cache is reclaimable", "0::/\n", map[string]string{
			two + "/memory.max": "100\n", two + "/memory.current": "60\n",
			two + "/memory.stat": "anon 20\ninactive_file 35\n",
		}, 75},
		{"version 1", "5:cpu:/a\n4:memory:/a\n0::/\n", map[string]string{
			one + "/a/memory.limit_in_bytes": "100\n", one + "/a/memory.usage_in_bytes": "60\n",
			one + "/a/memory.stat": "inactive_file 1\ntotal_inactive_file 5\n",
		}, 45},
		{"more than the limit", "0::/\n", map[string]string{two + "/memory.max": "100\n",
			two + "/memory.current": "110\n"}, -10},
		{"nonsense", "0::\nx\n4:memory\n", map[string]string{two + "/memory.max": "much\n"}, math.Inf(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(elements ...string) string { return c.files[path.Join(elements...)] }
			if got := cgroupsFree(read, c.cgroup); got != c.want {
				t.Errorf("%v bytes are left, want %v", got, c.want)
			}
		})
	}
}
