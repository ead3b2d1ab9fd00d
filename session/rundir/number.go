package rundir

import (
	"math"

	"dgplab/models/number"
)

// Number is a float64 that JSON can represent; see number.Float.
type Number = number.Float

var nan = math.NaN()
