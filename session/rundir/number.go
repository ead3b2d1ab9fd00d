package rundir

import (
	"math"

	"dgplab/models/view"
)

// Number is a float64 that JSON can represent; see number.Float.
type Number = view.Float

var nan = math.NaN()
