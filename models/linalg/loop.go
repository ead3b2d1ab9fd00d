package linalg

import "dgplab/models/linalg/fastblas"

// Loop is work that falls into independent parts, run on all processors; see
// [fastblas.Loop]. Results must not depend on the order of the parts: each part
// writes to memory of its own, and sums over parts are taken afterwards.
type Loop = fastblas.Loop
