// Package stats provides the statistics that the models share: random streams, functions of the
// normal distribution that the standard library lacks, and sample quantiles.
//
// A random stream is identified by a seed, a purpose and an index. Streams need not be saved: a
// resumed run draws the same numbers as an uninterrupted run, and evaluation does not affect
// training. The logarithm of the normal distribution function and its derivative have full relative
// accuracy, even in the far tail.
package stats
