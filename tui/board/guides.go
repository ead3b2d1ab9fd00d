package board

// The guides of the panels of curves.
const (
	objectiveGuide = "The objective that training increases, by step: the ELBO, an energy or a log joint " +
		"density, depending on the model. A rise that levels off is good; a lasting fall or jumps suggest " +
		"a smaller learning rate. Only runs with the same objective are drawn together, and a higher ELBO " +
		"does not necessarily mean better predictions. Source of the ELBO: Lindinger et al. 2020, " +
		"arXiv:2005.11110."
	validationGuide = "The mean log-likelihood of the held-out validation points, by step. Higher is " +
		"better. Only runs on the data and split of the selected run are drawn. A lasting fall while the " +
		"objective still rises is overfitting: stop earlier or choose a " +
		"simpler model. Differences smaller than the jitter of a curve mean nothing. Source of the early " +
		"stopping rule: Lindinger et al. 2020, arXiv:2005.11110, appendix G."
)

// The guides of the panels of the posterior.
const (
	covarianceGuide = "The covariance S_M of the inducing outputs of all layers, one block for each pair " +
		"of GPs. Colour shows the size of the entries, on one scale for all runs. Blocks off the diagonal " +
		"that are not zero show correlations between GPs or layers; the mean-field family has none. Strong " +
		"blocks in a structured family show what mean-field would miss. Source: Lindinger et al. 2020, " +
		"arXiv:2005.11110, figure 1."
	layersGuide = "Samples of the GPs of a layer at training inputs, drawn layer by layer from the " +
		"posterior. Samples that follow a shape with some spread are healthy. A GP that is constant, or " +
		"a layer whose GPs all agree, has collapsed and adds nothing. Source: Salimbeni and Deisenroth " +
		"2017, arXiv:1705.08933; Lindinger et al. 2020, arXiv:2005.11110, theorem 1."
	functionsGuide = "The posterior of the latent functions along one input, as mean and interval. Wide " +
		"intervals away from the data are good; a narrow interval that misses the data is not. A flat " +
		"function with the spread of the prior is not used by the model. Source: Rasmussen and Williams " +
		"2006, section 2.2."
	networkGuide = "A regression network y = W(x) f(x) + noise: the weights between latent functions and " +
		"outputs, and the correlations of the outputs, at a training input and on average. A column of " +
		"weights near zero belongs to an unused latent function; correlations near zero mean that " +
		"modelling the outputs together gains little. Source: Nguyen and Bonilla 2013, Efficient " +
		"Variational Inference for Gaussian Process Regression Networks."
	weightsGuide = "The weights and biases of a Bayesian network by layer: posterior means and standard " +
		"deviations. A weight is sure if |mean| > sd. A layer with few sure weights has learned little " +
		"from the data or is larger than needed; no spread at all means that the posterior has collapsed " +
		"to a point. Source: Blundell et al. 2015, arXiv:1505.05424."
	momentsGuide = "The mean and variance of every GP at a training input, by moment matching and by " +
		"sampling, with the strength of its factors. Agreement is good. If they differ by more " +
		"than the sampling error, the outputs of the layer are far from Gaussian and the energy is a " +
		"poor approximation. Source: Bui et al. 2016, arXiv:1602.04133."
	mapsGuide = "A GP of a layer over the inputs of that layer: mean and standard deviation without " +
		"noise. Structure in the mean near the points has been learned by the layer. A standard " +
		"deviation that is low near the points and grows away from them is good. Source: Bui et al. 2016, " +
		"arXiv:1602.04133."
	factorsGuide = "The strength of the tied factor of a GP at each inducing point, the part of the data " +
		"in its approximate posterior. Strong points carry information. A point near zero only adds cost: " +
		"if there are many, fewer inducing points suffice; if all are strong, more may help. Source: Bui " +
		"et al. 2016, arXiv:1602.04133."
	inducingGuide = "The inducing points that the model chooses for one input, with q of an output at " +
		"them. Points spread around the input are good. Points that coincide, or lie on a line in more " +
		"dimensions, are useless and make K_MM ill-conditioned. Source: Meng and Zhang 2024, Amortized " +
		"Variational Inference for Deep Gaussian Processes."
	quadratureGuide = "The learned quadrature points of a hidden layer, with their weights; they replace " +
		"random samples and make the predictions a mixture. Several points with similar weights are good. " +
		"If one weight dominates, the mixture has a single component and cannot have two modes. Source: " +
		"Jankowiak et al. 2020, arXiv:2002.09112."
	priorGuide = "Draws from the prior of the deep GP by depth, before any data. Draws that still vary " +
		"smoothly are good. If they become piecewise constant as layers are added, the prior is " +
		"pathological and deeper layers lose information about the input: use linear mean functions. " +
		"Source: Duvenaud et al. 2014, arXiv:1402.5836; for mean functions: Salimbeni and Deisenroth 2017, " +
		"arXiv:1705.08933."
)

// The guides of the comparison and of the numerical health.
const (
	tableGuide = "A row for each run: the settings that differ, sizes, scores and times. A star marks the " +
		"best value of a column, without a verdict: small differences between splits or seeds are noise. " +
		"Scores on different data or splits are not compared. Compare log-likelihoods before errors, " +
		"because they also assess the predicted uncertainty."
	directGuide = "The method of the selected run (A) against every other method (B) on the same test " +
		"points: the share of points at which A has the higher log-likelihood, and the mean difference " +
		"with its standard error. A share above 50 % and a positive difference favour A; ~ means not " +
		"distinguishable. Several splits or seeds are needed for a verdict, and runs that have had the " +
		"decay of their learning rate: before it, a run is still in its stable phase, and its final value " +
		"is expected to be higher. Source: Lindinger et al. 2020, " +
		"arXiv:2005.11110, tables 2 and S4."
	differencesGuide = "The histogram of the test log-likelihoods of A minus those of B at the same test " +
		"points. Mass to the right of 0 favours A. A mean that depends on a few points in a long tail is " +
		"fragile: look at these points before you prefer a method. The mean difference is defined as in " +
		"Lindinger et al. 2020, arXiv:2005.11110, table S4."
	pointsGuide = "The test log-likelihood of A against B, with a mark for each test point. Points " +
		"above the diagonal are predicted better by A, points below it by B. A cloud along the diagonal " +
		"means that the methods agree; single points far from it dominate the mean difference."
	distancesGuide = "The distance of the predictive distributions of A and B at each test point, both " +
		"taken as Gaussians: the Kullback-Leibler divergence or the 1-Wasserstein distance, against the " +
		"distance to the nearest training input. If B samples the posterior, as dgp-ess does, this is the " +
		"error of A; it often grows away from the training points."
	scoresGuide = "A test score of each method by split or seed. Methods with the same order on most " +
		"splits differ; if the spread over splits is larger than the gap, they are not distinguishable. A " +
		"split that is bad for all methods is a hard split, not a bad method."
	baselineGuide = "The scores of the selected run and of the linear baseline on the same data. A model " +
		"that is worth its cost is clearly better than the baseline. If it is not, the data may be linear " +
		"or too few, or the training has not converged: see the curves."
	healthGuide = "A verdict, alarms, and lights: numbers of the run with their limits, the worst first. " +
		"The arrows select a light; its guide says what to do. Below are the KL divergence and the " +
		"effective inducing points of each layer, the matrices, the gradient norm, and the time of the " +
		"parts of a step. A light beyond its limit is a reason to look at the curves, not proof that the " +
		"fit is bad."
)

// The guides of the lights of numerical health.
const (
	conditionGuide = "The largest condition number of a kernel matrix. A solution loses as many of the " +
		"sixteen digits as the condition has; beyond 1e12 fewer than four are left. Inducing points that " +
		"nearly coincide, or a lengthscale much longer than their distances, cause it. Remedy: fewer " +
		"inducing points, a larger jitter, or larger noise."
	pivotGuide = "The smallest squared diagonal entry of a Cholesky factor. At 0 the matrix is singular " +
		"and the factor is useless: two inducing points or two inputs coincide. Remedy: remove " +
		"duplicates, use fewer inducing points, or a larger jitter."
	jitterGuide = "The value added to the diagonal of a matrix so that it has a Cholesky factor; 1e-6 is " +
		"the usual amount. Jitter acts like noise: where it approaches the learned noise variance, it " +
		"changes the model. Remedy: fewer inducing points, or another kernel."
	rescuesGuide = "How often a factorisation failed and jitter was raised. A few are harmless, above " +
		"all in the first steps. One in ten steps or more means that the model works at the edge of its " +
		"precision. Remedy: fewer inducing points, a smaller learning rate, or larger initial noise."
	divergenceGuide = "The KL divergence of the posterior of a layer from its prior. At 0 the layer has " +
		"learned nothing and passes its mean function on. Early in training this is normal. Remedy: " +
		"train longer, use fewer layers, or start with a narrower posterior (inner_scale)."
	gradientGuide = "The norm of the gradient of the last step. It fluctuates with the minibatch and " +
		"falls with training. A norm ten times the median, or one that is not finite, comes before " +
		"divergence. Remedy: a smaller learning rate or larger batches."
	rhatGuide = "R-hat of the worst quantity compares the variance between and within the parts of the " +
		"chains. Above 1.01 they have not found the same distribution yet, and the draws do not " +
		"represent the posterior. Remedy: a longer burn-in, more steps, or another step size. Source: " +
		"Vehtari et al. 2021, arXiv:1903.08008."
	drawsGuide = "The number of independent draws that would be as informative as the draws of the " +
		"chains, for the worst quantity, in the bulk or in the tails of its distribution. Below 400, " +
		"means and intervals have a large Monte Carlo error. Remedy: more steps, or a larger distance " +
		"between kept draws. Source: Vehtari et al. 2021, arXiv:1903.08008."
	acceptanceGuide = "The mean probability with which proposals are accepted. Far below the range the " +
		"chain stays where it is; far above it the steps are so small that the chain moves slowly. " +
		"Remedy: a smaller or larger step size, or a longer burn-in, in which it adapts. Source: " +
		"Betancourt et al. 2014, arXiv:1411.6669."
	trajectoriesGuide = "The number of trajectories whose energy error exploded. They mark regions of " +
		"the posterior that the sampler cannot enter, so that the draws are biased. A few during " +
		"burn-in, while the step size adapts, are harmless. Remedy: a smaller step size or a higher " +
		"target acceptance. Source: Betancourt 2017, arXiv:1701.02434."
	temperatureGuide = "The kinetic energy of the sampler relative to its expectation; 1 is right. Noise " +
		"of minibatch gradients raises it, and the posterior is then too wide. Remedy: larger batches or " +
		"a smaller step size."
	unchangedGuide = "The number of weights whose update was rejected because their variance would not " +
		"have been positive. Single ones are harmless; many mean that the data contradict the " +
		"approximation. Remedy: scale the targets, or use fewer hidden units."
)

// The guides of the panels of calibration.
const (
	errorsGuide = "Squared error against predicted variance, with a mark for each test point and a running " +
		"mean. If the variance is right, the error grows with it: the curve rises along the diagonal. A " +
		"curve above it means overconfidence, below it underconfidence; a flat curve means that the " +
		"variance does not predict the errors. Source: Lindinger et al. 2020, arXiv:2005.11110, figure 3 " +
		"(right)."
	distanceGuide = "Predicted variance against the distance of a test point to the training data. The " +
		"variance should grow with the distance. A variance that stays low far from the data means " +
		"overconfident extrapolation, a weakness of mean-field that coupled families reduce. Source: " +
		"Lindinger et al. 2020, arXiv:2005.11110, figure 3 (left)."
	pitGuide = "The histogram of the predictive distribution function at the observations. A histogram " +
		"that is flat within the 95 % band means calibration; bars outside are pale or hatched. A U " +
		"shape means intervals that are too narrow, a hump means too wide, and a slope means biased " +
		"predictions. Source: Gneiting, Balabdaoui and Raftery 2007, Probabilistic forecasts, " +
		"calibration and sharpness, section 3."
	coverageGuide = "The share of test points inside central intervals against the level of the intervals; " +
		"for classes, the frequency of a class against its predicted probability. A curve on the diagonal, " +
		"within the 95 % band, means calibration. Below it the intervals are too narrow, above it too " +
		"wide. Source: Kuleshov et al. 2018, arXiv:1807.00263; for classes: Guo et al. 2017, " +
		"arXiv:1706.04599."
	leftOutGuide = "Each training point predicted from all other training points, against its observation; " +
		"for classes, the reliability of the probabilities. Points near the diagonal, with 95 % of their " +
		"intervals on it, are good. Parameters that are not sampled keep the values learned from all " +
		"points. Predictions by importance sampling are unreliable where the shape k-hat of the weights is " +
		"large. Sources: Rasmussen and Williams 2006, section 5.4.2; Vehtari, Gelman and Gabry 2017, " +
		"arXiv:1507.04544."
	residualsGuide = "The errors of a run against its predictions at the test points. A level cloud around " +
		"0 is good. A curve shows structure that the model misses, a fan shows noise that grows with the " +
		"prediction, and single points far away are outliers or wrong data."
	intervalsGuide = "The share of test points inside the central 50, 90 and 95 % intervals of each run, " +
		"with the range expected of a calibrated run. A share inside the range is good; below it the " +
		"intervals are too narrow, above it too wide. Source: Gneiting, Balabdaoui and Raftery 2007, " +
		"Probabilistic forecasts, calibration and sharpness."
	worstGuide = "The test points with the lowest log densities of the selected run, compared with the " +
		"other method. A few points often dominate the mean. A point that all runs miss may " +
		"be wrong data; a point that a single run misses with a small variance shows overconfidence."
	predictionsGuide = "The test points of the selected run: prediction with its standard deviation (for " +
		"classes, the entropy of the probabilities), observation, residual in standard deviations, log " +
		"density and 95 % interval, the most uncertain first, beside the predictions of the compared " +
		"run. Rows with ! are outside the central 95 % interval, where one in twenty is expected, or " +
		"have another class than predicted. A missed point with a small uncertainty shows overconfidence " +
		"or wrong data: look at its inputs below."
	confusionGuide = "The number of test points by observed and predicted class. Large entries on the " +
		"diagonal are good. Large entries off the diagonal show classes that the model confuses; a column " +
		"with points of all classes belongs to a class that is predicted too often. The overall error " +
		"hides rare classes: read them row by row."
)

// The guides of the panels of chains.
const (
	traceGuide = "The kept draws of a quantity by iteration. A band without a trend is good: the chain " +
		"moves freely. A drift means that it has not reached its distribution, long flat stretches mean " +
		"that it is stuck, and separate bands mean that it has found several modes. Remedy: a longer " +
		"burn-in or another step size. Source: Gelman et al. 2013, Bayesian Data Analysis, section 11.4."
	mixingGuide = "R-hat compares the variance between and within parts of the chains; the effective " +
		"sample size (ESS) is the equivalent number of independent draws. An R-hat of at most 1.01 and an " +
		"ESS of at least 400 are good; the worst quantities come first. A large R-hat means that the draws " +
		"do not yet represent the posterior. Source: Vehtari et al. 2021, arXiv:1903.08008."
	marginalGuide = "The histogram of the draws of a quantity. A single smooth hump is easy to trust; two " +
		"humps are two modes that a Gaussian posterior would miss. A ragged shape means too few effective " +
		"draws: see R-hat. Source: Havasi et al. 2018, arXiv:1806.05490, on modes of deep GPs."
	pairGuide = "The draws of two quantities against each other. A round cloud is easy to sample and " +
		"close to independent. A narrow ridge or a funnel slows the sampler and shows a dependence that " +
		"mean-field posteriors miss; separate clouds are separate modes. Source: Betancourt and Girolami " +
		"2013, arXiv:1312.0906, on funnels."
	ranksGuide = "The ranks of the draws of each part of the chains among all draws, as histograms. Counts " +
		"that are uniform up to chance are good. A slope means that the parts differ in location, a U " +
		"shape or a hump that they differ in spread. Source: Vehtari et al. 2021, arXiv:1903.08008."
	autocorrelationGuide = "The correlation of draws against their distance in iterations. A fast decay " +
		"to 0 is good: the draws are nearly independent. A slow decay lowers the effective sample size; " +
		"thin more, run longer or tune the step size. Source: Geyer 1992, Practical Markov Chain Monte " +
		"Carlo, section 3.3."
	normalityGuide = "Tests of normality for the sampled quantities, with p-values corrected for the " +
		"number of tests; the least Gaussian quantities come first. Large p-values support a Gaussian " +
		"posterior, small ones speak against it. With one layer and Gaussian noise the inducing outputs " +
		"should pass. Source: Lindinger et al. 2020, arXiv:2005.11110, figure S6; the test is D'Agostino " +
		"and Pearson's K^2 (1973)."
)

// The guides of the panels of the fit.
const (
	fitGuide = "Predictions along an input in original units, with 50 and 95 % intervals, or for each " +
		"level of a category, where n counts its training rows. Other numbers are held at a " +
		"quantile, other categories at their most frequent level. About half of the points near " +
		"these values should lie in the inner interval. Intervals that widen where training points " +
		"are rare are good; points far outside narrow intervals show overconfidence."
	planeGuide = "Predictions over a plane of two inputs, for all runs on one scale. Compare the mean " +
		"with the points; the standard deviation should be low near training points and grow away from " +
		"them. For classes the colour is the probability: a boundary that wiggles around single points is " +
		"overfitting."
	densityGuide = "The predictive density of a target, noise included, along an input: a shade for each " +
		"value. Other inputs are held at their medians and most frequent levels. The points near these " +
		"values should lie where the density is high. Two bands are two modes, which an interval cannot " +
		"show. The density is estimated from draws of the model and averaged over cells of the target, " +
		"which cover the training targets; draws differ between the values of the input, so fine stripes " +
		"are noise."
	predictedGuide = "Predictions against observations at held-out points. Points on the diagonal are " +
		"good. A cloud flatter than the diagonal means predictions that shrink towards the mean; a " +
		"curve means structure that the model misses; for single points far away, check the " +
		"data."
	dependenceGuide = "The mean prediction while one input varies and the others keep their observed " +
		"values; a category is set to one level at a time. A flat line means no effect of the input on " +
		"average. Correlated inputs can lead to combinations that never occur, and opposite effects " +
		"can cancel. Source: Friedman 2001, Greedy function approximation, section 8.2."
	relevanceGuide = "1/lengthscale of the inputs in the kernel of the first layer, the most relevant " +
		"input first; the fit starts with it. A long bar means that the function varies along that input, " +
		"a short bar that the input is nearly ignored. A category has one bar: the root of the sum of " +
		"squares over its indicators. Lengthscales refer to standardised inputs, and correlated inputs " +
		"share relevance. Source: Rasmussen and Williams 2006, section 5.1."
)
