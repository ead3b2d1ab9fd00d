package linalg

import "dgplab/models/linalg/fastblas"

// Loop runs independent parts of a computation on all processors; see [fastblas.Loop]. Results must
// not depend on the order of the parts: each part writes to separate memory, and sums over parts
// are computed afterwards.
type Loop = fastblas.Loop

// Background runs a function beside later operations; see [fastblas.Background].
type Background = fastblas.Background

// LimitProcessors limits the processors of later operations; see [fastblas.LimitProcessors].
func LimitProcessors(n int) { fastblas.LimitProcessors(n) }

// SpareProcessors leaves processors to others; see [fastblas.SpareProcessors].
func SpareProcessors(n int) { fastblas.SpareProcessors(n) }

// Processors returns the number of processors of operations; see [fastblas.Processors].
func Processors() int { return fastblas.Processors() }

// Span and Task are records of where the time of a computation goes; see [fastblas.Trace].
type (
	Span = fastblas.Span
	Task = fastblas.Task
)

// Trace runs a computation on one processor and records its tasks; see [fastblas.Trace].
func Trace(compute func()) Span { return fastblas.Trace(compute) }
