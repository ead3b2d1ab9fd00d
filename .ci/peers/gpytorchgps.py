"""Training steps of models in GPyTorch, and of the amortized deep GP of DGP-AVI, which is built on GPyTorch. Both are imported
from the Python path. The sizes equal those in torchgps.py."""
import gpytorch
import torch
from gpytorch.distributions import MultivariateNormal
from gpytorch.kernels import InducingPointKernel, MaternKernel, RBFKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.means import ConstantMean, LinearMean, ZeroMean
from gpytorch.models.deep_gps import DeepGP, DeepGPLayer
from gpytorch.models.deep_gps.dspp import DSPP, DSPPLayer
from gpytorch.variational import CholeskyVariationalDistribution, VariationalStrategy

from torchgps import training_step


def variational_strategy(model, inputs, m, shape=()):
    """Whitened inducing outputs with full covariances, and inducing inputs, for a batch of GPs."""
    q = CholeskyVariationalDistribution(m, batch_shape=torch.Size(shape))
    return VariationalStrategy(model, torch.randn(*shape, m, inputs), q, learn_inducing_locations=True)


class Prior:
    """The prior of a GP model or of a layer of GPs."""

    def forward(self, x):
        return MultivariateNormal(self.mean_module(x), self.covar_module(x))


def deep_layer(base, kernel, inputs, outputs, m, *options):
    """A layer of a deep GP, with one kernel and its own inducing inputs for each GP. The last layer has no outputs: None."""

    class Layer(Prior, base):
        def __init__(self):
            shape = torch.Size([outputs] if outputs else [])
            super().__init__(variational_strategy(self, inputs, m, shape), inputs, outputs, *options)
            self.mean_module = LinearMean(inputs) if outputs else ConstantMean()
            self.covar_module = ScaleKernel(kernel(batch_shape=shape, ard_num_dims=inputs), batch_shape=shape)

    return Layer()


def deep_model(base, layers, *options):
    class Model(base):
        def __init__(self):
            super().__init__(*options)
            self.layers = torch.nn.ModuleList(layers)
            self.likelihood = GaussianLikelihood()

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    return Model()


def mean_field(rows, inputs, m):
    """Three layers, widths 5 and 5, five samples, batches of 512."""
    widths = [(inputs, 5), (5, 5), (5, None)]
    model = deep_model(DeepGP, [deep_layer(DeepGPLayer, RBFKernel, d, p, m) for d, p in widths])
    bound = gpytorch.mlls.DeepApproximateMLL(gpytorch.mlls.VariationalELBO(model.likelihood, model, rows))

    def objective(x, y):
        with gpytorch.settings.num_likelihood_samples(5):
            return bound(model(x), y[:, 0])

    return training_step(rows, 512, inputs, list(model.parameters()), objective)


def dspp(rows, inputs, m):
    """Three layers, widths 5 and 5, full covariances, eight points, batches of 512."""
    widths, points = [(inputs, 5), (5, 5), (5, None)], 8
    model = deep_model(DSPP, [deep_layer(DSPPLayer, MaternKernel, d, p, m, points) for d, p in widths], points)
    bound = gpytorch.mlls.DeepPredictiveLogLikelihood(model.likelihood, model, rows)
    return training_step(rows, 512, inputs, list(model.parameters()), lambda x, y: bound(model(x), y[:, 0]))


def sparse(rows, inputs, m, kernel, bound):
    """A sparse GP with full covariances: batches of 512."""

    class Model(Prior, gpytorch.models.ApproximateGP):
        def __init__(self):
            super().__init__(variational_strategy(self, inputs, m))
            self.mean_module = ZeroMean()
            self.covar_module = ScaleKernel(kernel(ard_num_dims=inputs))
            self.likelihood = GaussianLikelihood()

    model = Model()
    bound = bound(model.likelihood, model, rows)
    return training_step(rows, 512, inputs, list(model.parameters()), lambda x, y: bound(model(x), y[:, 0]))


def svgp(rows, inputs, m):
    return sparse(rows, inputs, m, RBFKernel, gpytorch.mlls.VariationalELBO)


def ppgpr(rows, inputs, m):
    return sparse(rows, inputs, m, MaternKernel, gpytorch.mlls.PredictiveLogLikelihood)


def exact(rows, inputs, covar_module, likelihood):
    """The evidence of a GP for all rows, by Cholesky factors."""

    class Model(Prior, gpytorch.models.ExactGP):
        def __init__(self):
            super().__init__(None, None, likelihood)
            self.mean_module = ZeroMean()
            self.covar_module = covar_module

    model = Model()
    evidence = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)

    def objective(x, y):
        model.set_train_data(x, y[:, 0], strict=False)
        with gpytorch.settings.max_cholesky_size(10 ** 6):
            return evidence(model(x), y[:, 0])

    return training_step(rows, rows, inputs, list(model.parameters()), objective)


def gp(rows, inputs, _):
    return exact(rows, inputs, ScaleKernel(RBFKernel(ard_num_dims=inputs)), GaussianLikelihood())


def sgpr(rows, inputs, m):
    kernel, likelihood = ScaleKernel(RBFKernel(ard_num_dims=inputs)), GaussianLikelihood()
    return exact(rows, inputs, InducingPointKernel(kernel, torch.randn(m, inputs), likelihood), likelihood)


def avdgp(rows, inputs, _):
    """DGP-AVI's rule AR2P: three layers, widths 16 and 4, 8, 4 and 4 inducing points, 32 points, batches of 100."""
    from AmortizedGP import AVDGPR

    model = AVDGPR(rows, inputs, 1, [16, 4], None, [8, 4, 4], parametric=True, num_sampl=32, depth=3)
    return training_step(rows, 100, inputs, list(model.parameters()), model.elbo)
