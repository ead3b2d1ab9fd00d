package datasets

import (
	"fmt"
	"math"

	"dgplab/datasets/task"
)

// largestCount is the largest count that is exact as a floating-point number.
const largestCount = 1 << 53

// markCounts sets the task to Count. It returns the error of the first row whose target is not a whole
// number from 0.
func (ds *Dataset) markCounts(fail func(row int, problem string) error) error {
	for i, y := range ds.Y.RawMatrix().Data {
		if !math.IsNaN(y) && !(y >= 0 && y <= largestCount && y == math.Trunc(y)) {
			return fail(i, fmt.Sprintf("%v is not a count, a whole number from 0", y))
		}
	}
	ds.Task = task.Count
	return nil
}
