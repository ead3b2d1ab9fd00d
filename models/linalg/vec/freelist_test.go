package vec

import "testing"

func TestList(t *testing.T) {
	l := NewFreeList[int](2)
	a := l.Get()
	b := l.Get()
	c := l.Get()
	for _, x := range []*int{a, b, c} {
		l.Put(x)
	}
	if l.Get() != b || l.Get() != a {
		t.Error("the objects are not returned in the reverse order of Put")
	}
	if x := l.Get(); x == c || x == nil {
		t.Error("more was kept than there is room for")
	}
	if n := testing.AllocsPerRun(100, func() { l.Put(l.Get()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
