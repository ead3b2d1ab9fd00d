package probe

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/models/predictive"
)

// maxQuantiles bounds the number of quantile columns in a table of predictions.
const maxQuantiles = 100

// ParseQuantiles parses comma-separated percentages such as "2.5,50,97.5" and returns ascending levels
// between 0 and 1. It returns nil for an empty text.
func ParseQuantiles(text string) ([]float64, error) {
	var levels []float64
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(part), "%"), 64)
		if err != nil || !(percent >= minPercent && percent <= 100-minPercent) {
			return nil, errors.New("want percentages between 0 and 100, such as 2.5,50,97.5")
		}
		levels = append(levels, percent/100)
	}
	if len(levels) > maxQuantiles {
		return nil, errors.New("want at most " + strconv.Itoa(maxQuantiles))
	}
	slices.Sort(levels)
	return slices.Compact(levels), nil
}

// minPercent is the minimum distance of a percentage from 0 and 100.
const minPercent = 1e-6

// quantileName returns the suffix of a quantile column after the target name, for example q5 or
// q97.5.
func quantileName(level float64) string {
	return "q" + strconv.FormatFloat(math.Round(level*1e10)/1e8, 'f', -1, 64)
}

// aboveLimit sets dst, [N][P], to the probabilities that the targets exceed a limit in original units.
func aboveLimit(dst []float64, m predictive.Regression, u predictive.Units, limit float64) {
	at := make([]float64, len(dst))
	for k := range at {
		at[k] = u.Standard(k, limit)
	}
	m.Above(dst, at)
}

// quantiles sets dst, [levels][N][P], to the quantiles of the targets at ascending levels in original units.
func quantiles(dst []float64, m predictive.Regression, u predictive.Units, levels []float64) {
	m.Quantiles(dst, levels)
	for k, v := range dst {
		dst[k] = u.Target(k, v)
	}
}
