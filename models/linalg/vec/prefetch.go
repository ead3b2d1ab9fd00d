package vec

// Prefetch fetches the cache lines of x, which another processor has written, all at once. Products that
// find them in the cache of the other processor wait for one line after the other.
func Prefetch(x []float64) {
	if len(x) > 0 && active != nil {
		active.prefetch(len(x), &x[0])
	}
}

// PrefetchWrite fetches the cache lines of x, which another processor has read, for writing.
func PrefetchWrite(x []float64) {
	if len(x) > 0 && active != nil {
		active.prefetchWrite(len(x), &x[0])
	}
}
