//go:build arm64 && !noasm

package vec

var neon = routines{
	exp: expNEON, log: logNEON, softplus: softplusNEON,
	root: rootNEON, inverseRoot: inverseRootNEON,
	addMul: addMulNEON, subMul: subMulNEON, mul: mulNEON, div: divNEON,
	addScaled: addScaledNEON, scaled: scaledNEON, dot: dotNEON,
	addDescend: addDescendNEON, descendSum: descendSumNEON, mulSum: mulSumNEON,
	distances1: distances1NEON, distances4: distances4NEON,
	covariance: [4]func(int, *float64, *float64, float64, float64){nil,
		rbfNEON, matern32NEON, matern52NEON},
	slope: [4]func(int, *float64, *float64, float64, float64){nil,
		rbfNEON, matern32SlopeNEON, matern52SlopeNEON},
	pullSlope: [4]func(int, *float64, *float64, *float64, float64, float64, float64) float64{nil,
		rbfPullNEON, matern32SlopePullNEON, matern52SlopePullNEON},
	weighted: weightedNEON, weightedInto: weightedIntoNEON, weightedInto4: weightedInto4NEON,
	addMoments: addMomentsNEON, pullMoments: pullMomentsNEON,
	productMoments: productMomentsNEON, updateMoments: updateMomentsNEON,
	both: [4]func(int, *float64, *float64, float64){nil, rbfBothNEON,
		matern32BothNEON, matern52BothNEON},
	sumProducts: sumProductsNEON, addProducts: addProductsNEON, addOuter: addOuterNEON,
	triangularProducts: triangularProductsNEON,
	between:            betweenNEON, pull: pullNEON, normal: normalNEON, probitSums: probitSumsNEON,
	adam: adamNEON, prefetch: prefetch, prefetchWrite: prefetchWrite,
	lanes: laneRoutines{
		lanes:      4,
		interleave: interleaveNEON, deinterleave: deinterleaveNEON, reciprocals: reciprocalsNEON,
		mul:    []mulLanes{lanesMul1NEON, lanesMul2NEON},
		solve:  []solveLanes{lanesSolve1NEON, lanesSolve2NEON},
		factor: []factorLanes{lanesFactor1NEON, lanesFactor2NEON, lanesFactor3NEON, lanesFactor4NEON},
	},
}

// routinesOf returns the routines for an instruction set, or nil for PlainGo.
func routinesOf(set InstructionSet) *routines {
	if set == NEON {
		return &neon
	}
	return nil
}
