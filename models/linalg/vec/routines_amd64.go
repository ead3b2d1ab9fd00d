//go:build amd64 && !noasm

package vec

var avx512 = routines{
	exp: expAVX512, log: logAVX512, softplus: softplusAVX512,
	root: rootAVX512, inverseRoot: inverseRootAVX512,
	addMul: addMulAVX512, subMul: subMulAVX512, mul: mulAVX512, div: divAVX512,
	addScaled: addScaledAVX512, scaled: scaledAVX512, dot: dotAVX512,
	addDescend: addDescendAVX512, descendSum: descendSumAVX512, mulSum: mulSumAVX512,
	distances1: distances1AVX512, distances4: distances4AVX512,
	covariance: [4]func(int, *float64, *float64, float64, float64){nil,
		rbfAVX512, matern32AVX512, matern52AVX512},
	slope: [4]func(int, *float64, *float64, float64, float64){nil,
		rbfAVX512, matern32SlopeAVX512, matern52SlopeAVX512},
	pullSlope: [4]func(int, *float64, *float64, *float64, float64, float64, float64) float64{nil,
		rbfPullAVX512, matern32SlopePullAVX512, matern52SlopePullAVX512},
	weighted: weightedAVX512, weightedInto: weightedIntoAVX512, weightedInto4: weightedInto4AVX512,
	addMoments: addMomentsAVX512, pullMoments: pullMomentsAVX512,
	productMoments: productMomentsAVX512, updateMoments: updateMomentsAVX512,
	both: [4]func(int, *float64, *float64, float64){nil, rbfBothAVX512,
		matern32BothAVX512, matern52BothAVX512},
	sumProducts: sumProductsAVX512, addProducts: addProductsAVX512, addOuter: addOuterAVX512,
	triangularProducts: triangularProductsAVX512,
	between:            betweenAVX512, pull: pullAVX512, normal: normalAVX512, probitSums: probitSumsAVX512,
	adam: adamAVX512, prefetch: prefetch, prefetchWrite: prefetchWrite,
	lanes: laneRoutines{
		lanes:      8,
		interleave: interleaveAVX512, deinterleave: deinterleaveAVX512, reciprocals: reciprocalsAVX512,
		mul:    []mulLanes{lanesMul1AVX512, lanesMul2AVX512, lanesMul3AVX512, lanesMul4AVX512},
		solve:  []solveLanes{lanesSolve1AVX512, lanesSolve2AVX512, lanesSolve3AVX512, lanesSolve4AVX512},
		factor: []factorLanes{lanesFactor1AVX512, lanesFactor2AVX512, lanesFactor3AVX512, lanesFactor4AVX512},
	},
}

var avx2 = routines{
	exp: expAVX2, log: logAVX2, softplus: softplusAVX2,
	root: rootAVX2, inverseRoot: inverseRootAVX2,
	addMul: addMulAVX2, subMul: subMulAVX2, mul: mulAVX2, div: divAVX2,
	addScaled: addScaledAVX2, scaled: scaledAVX2, dot: dotAVX2,
	addDescend: addDescendAVX2, descendSum: descendSumAVX2, mulSum: mulSumAVX2,
	distances1: distances1AVX2, distances4: distances4AVX2,
	covariance: [4]func(int, *float64, *float64, float64, float64){nil,
		rbfAVX2, matern32AVX2, matern52AVX2},
	slope: [4]func(int, *float64, *float64, float64, float64){nil,
		rbfAVX2, matern32SlopeAVX2, matern52SlopeAVX2},
	pullSlope: [4]func(int, *float64, *float64, *float64, float64, float64, float64) float64{nil,
		rbfPullAVX2, matern32SlopePullAVX2, matern52SlopePullAVX2},
	weighted: weightedAVX2, weightedInto: weightedIntoAVX2, weightedInto4: weightedInto4AVX2,
	addMoments: addMomentsAVX2, pullMoments: pullMomentsAVX2,
	productMoments: productMomentsAVX2, updateMoments: updateMomentsAVX2,
	both: [4]func(int, *float64, *float64, float64){nil, rbfBothAVX2,
		matern32BothAVX2, matern52BothAVX2},
	sumProducts: sumProductsAVX2, addProducts: addProductsAVX2, addOuter: addOuterAVX2,
	triangularProducts: triangularProductsAVX2,
	between:            betweenAVX2, pull: pullAVX2, normal: normalAVX2, probitSums: probitSumsAVX2,
	adam: adamAVX2, prefetch: prefetch, prefetchWrite: prefetchWrite,
	lanes: laneRoutines{
		lanes:      4,
		interleave: interleaveAVX2, deinterleave: deinterleaveAVX2, reciprocals: reciprocalsAVX2,
		mul:    []mulLanes{lanesMul1AVX2, lanesMul2AVX2},
		solve:  []solveLanes{lanesSolve1AVX2, lanesSolve2AVX2},
		factor: []factorLanes{lanesFactor1AVX2, lanesFactor2AVX2, lanesFactor3AVX2, lanesFactor4AVX2},
	},
}

// routinesOf returns the routines for an instruction set, or nil for PlainGo.
func routinesOf(set InstructionSet) *routines {
	switch set {
	case AVX512:
		return &avx512
	case AVX2:
		return &avx2
	}
	return nil
}
