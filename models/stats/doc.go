// Package stats provides the statistics that the models share: random streams, functions of the
// normal distribution that the standard library lacks, and sample quantiles.
//
// A random stream is identified by a seed, a purpose and an index. It has no state worth saving: a
// run resumed at some step draws the same numbers as an uninterrupted run, and evaluation never
// disturbs training. The logarithm of the normal distribution function and its derivative have full
// relative accuracy even far out in the tail.
package stats
