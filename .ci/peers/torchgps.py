"""Objectives of sparse and deep GPs, written directly on PyTorch tensors, and their training steps. Shapes are in brackets:
[B] points of a minibatch, [S] samples or quadrature points, [M] inducing points, [D] inputs and [P] outputs of a layer.

    python3 torchgps.py FOLDER

compares the objectives with the golden cases in a folder.
"""
import glob
import json
import math
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F

JITTER = 1e-6
torch.set_default_dtype(torch.float64)


def squared_distances(a, b, scales):
    a, b = a / scales, b / scales
    return ((a * a).sum(-1)[..., :, None] + (b * b).sum(-1)[..., None, :] - 2 * a @ b.mT).clamp_min(0)


def rbf(r2):
    return torch.exp(-0.5 * r2)


def matern52(r2):
    r = math.sqrt(5) * r2.clamp_min(1e-30).sqrt()
    return (1 + r + r * r / 3) * torch.exp(-r)


def cholesky(k):
    return torch.linalg.cholesky(k + JITTER * torch.eye(k.shape[-1]))


def solve(lower, b):
    return torch.linalg.solve_triangular(lower, b, upper=False)


def expected_log_normal(y, mean, var, noise):
    return -0.5 * (math.log(2 * math.pi) + noise.log() + ((y - mean) ** 2 + var) / noise)


def log_normal(y, mean, var):
    return -0.5 * (math.log(2 * math.pi) + var.log() + (y - mean) ** 2 / var)


class Layer:
    """P sparse GPs with whitened inducing outputs, which share the inducing inputs z [M, D]: mu [P, M], root [P, M, M]. There
    is one kernel for each GP, or one for all: variance [P or 1], scales [P or 1, D]. The mean function is x @ linear."""

    def __init__(self, kernel, z, variance, scales, mu, root, linear=None):
        self.kernel, self.z, self.variance, self.scales = kernel, z, variance, scales
        self.mu, self.root, self.linear = mu, root, linear

    def parameters(self):
        return [self.z, self.variance, self.scales, self.mu, self.root] + ([] if self.linear is None else [self.linear])

    def cov(self, a, b):
        return self.variance[:, None, None] * self.kernel(squared_distances(a, b, self.scales[:, None, :]))

    def __call__(self, x):
        """Means and variances [..., P] at x [..., D]."""
        flat = x.reshape(-1, x.shape[-1])
        a = solve(cholesky(self.cov(self.z, self.z)), self.cov(self.z, flat))
        mean = (self.mu[:, None] @ a)[:, 0]
        var = self.variance[:, None] - (a * a).sum(1) + (self.root.tril().mT @ a).square().sum(1)
        mean, var = (v.T.reshape(*x.shape[:-1], -1) for v in (mean, var))
        return (mean if self.linear is None else mean + x @ self.linear), var

    def kl(self):
        root = self.root.tril()
        log_det = root.diagonal(dim1=-2, dim2=-1).abs().log().sum()
        return 0.5 * ((root * root).sum() + (self.mu * self.mu).sum() - self.mu.numel()) - log_det


def doubly_stochastic(layers, noise, x, y, eps, rows):
    """The bound of a mean-field deep GP, eps [S, B, P] of every hidden layer (Salimbeni, Deisenroth 2017)."""
    f = x
    for layer, e in zip(layers, eps):
        mean, var = layer(f)
        f = mean + var.sqrt() * e
    mean, var = layers[-1](f)
    terms = expected_log_normal(y, mean, var, noise).sum(-1)
    terms = terms.mean(0) if eps else terms
    return rows / len(x) * terms.sum() - sum(layer.kl() for layer in layers)


def predictive(layers, noise, x, y, points, logits, beta, rows):
    """The objective of a deep sigma point process, points [S, P] of every hidden layer, or of a parametric predictive GP
    (Jankowiak, Pleiss, Gardner 2020)."""
    f = x
    for layer, at in zip(layers, points):
        mean, var = layer(f)
        f = mean + var.sqrt() * at[:, None]
    mean, var = layers[-1](f)
    terms = log_normal(y, mean, var + noise).sum(-1)
    if points:
        terms = torch.logsumexp(terms + logits.log_softmax(0)[:, None], 0)
    return rows / len(x) * terms.sum() - beta * sum(layer.kl() for layer in layers)


def collapsed(z, variance, scales, noise, x, y):
    """The bound of SGPR, y [N] (Titsias 2009)."""
    lower = cholesky(variance * rbf(squared_distances(z, z, scales)))
    a = solve(lower, variance * rbf(squared_distances(z, x, scales))) / noise.sqrt()
    root = torch.linalg.cholesky(a @ a.T + torch.eye(len(z)))
    c = solve(root, (a @ y)[:, None]) / noise.sqrt()
    n = len(x)
    log_det = n * noise.log() + 2 * root.diagonal().log().sum()
    trace = n * variance / noise - (a * a).sum()
    return -0.5 * (n * math.log(2 * math.pi) + log_det + y @ y / noise - (c * c).sum() + trace)


def network(net, x):
    """An MLP with two hidden layers: pairs of weights [out, in] and biases."""
    for w, b in net[:-1]:
        x = F.leaky_relu(x @ w.T + b, 0.2)
    w, b = net[-1]
    return x @ w.T + b


class Amortized:
    """A layer with M inducing points per input, inferred from it: w [M, D, D], b [M, D], two networks, and one isotropic or
    ARD kernel per output, variance [P], scales [P, D or 1]."""

    def __init__(self, w, b, mean, std, variance, scales):
        self.w, self.b, self.mean, self.std, self.variance, self.scales = w, b, mean, std, variance, scales

    def parameters(self):
        return [self.w, self.b, self.variance, self.scales] + [p for net in (self.mean, self.std) for pair in net for p in pair]

    def cov(self, a, b):
        return self.variance[:, None, None] * matern52(squared_distances(a, b, self.scales[:, None, :]))

    def __call__(self, seen, f):
        """Means and variances [B, S, P] at f [B, S, D], and KL [B]; the inducing points are those of seen [B, D]."""
        z = (torch.einsum("mij,bj->bmi", self.w, seen) + self.b)[:, None]
        shape = len(seen), len(self.variance), len(self.w)
        mu = network(self.mean, seen).reshape(shape)
        std = F.softplus(network(self.std, seen)).reshape(shape)
        lower = cholesky(self.cov(z, z))
        a = solve(lower, self.cov(z, f[:, None]))
        whitened = solve(lower, mu[..., None])
        mean = (whitened.mT @ a)[..., 0, :]
        weights = torch.linalg.solve_triangular(lower.mT, a, upper=True)
        var = self.variance[:, None] - (a * a).sum(-2) + (std[..., None] * weights).square().sum(-2)
        scaled = solve(lower, torch.diag_embed(std))
        log_dets = lower.diagonal(dim1=-2, dim2=-1).log() - std.log()
        kl = 0.5 * (scaled.square().sum((-1, -2)) + whitened.square().sum((-1, -2)) - shape[2]) + log_dets.sum(-1)
        return mean.mT, var.mT, kl.sum(-1)


def amortized(layers, noise, x, y, points, logits, rows):
    """The objective of AVDGP by the rule AR2P, points [S, P] of every hidden layer (Meng, Zhang 2024, section 4)."""
    weights = logits.softmax(0)
    seen, f, kl = x, x[:, None], 0
    for layer, at in zip(layers, points):
        mean, var, term = layer(seen, f)
        kl = kl + term
        seen = (weights[:, None] * mean).sum(1) if mean.shape[1] > 1 else mean[:, 0]
        f = mean + var.sqrt() * at
    mean, var, term = layers[-1](seen, f)
    terms = (weights * expected_log_normal(y[:, None], mean, var, noise).sum(-1)).sum(-1)
    return rows / len(x) * terms.sum() - (kl + term).mean()


class Tied:
    """P sparse GPs with their own kernels and inducing inputs z [P, M, D], and N tied factors each, with natural parameters
    t1 [P, M] and t2 = root @ root.T [P, M, M]; noise is the variance of the layer"s noise."""

    def __init__(self, z, variance, scales, t1, root, noise):
        self.z, self.variance, self.scales, self.t1, self.root, self.noise = z, variance, scales, t1, root, noise

    def parameters(self):
        return [self.z, self.variance, self.scales, self.t1, self.root, self.noise]

    def prepare(self, n):
        """The part of the energy without the points; keeps what moments needs."""
        k = self.variance[:, None, None] * rbf(squared_distances(self.z, self.z, self.scales[:, None]))
        lower = cholesky(k)
        self.prior = inverse(lower)
        prior = lower.diagonal(dim1=-2, dim2=-1).log().sum()
        root = self.root.tril()
        t2 = root @ root.mT
        posterior, _, _ = normal(self.prior + n * t2, n * self.t1)
        cavity, m, v = normal(self.prior + (n - 1) * t2, (n - 1) * self.t1)
        self.a = (self.prior @ m[..., None])[..., 0]
        self.b = self.prior @ (v + m[..., None] * m[..., None, :]) @ self.prior - self.prior
        return (1 - n) * posterior + n * cavity - prior

    def moments(self, mean, var):
        """Means and variances [B, P] of the outputs at Gaussian inputs, mean and var [B, D]; a var of None is zero."""
        z, scales = self.z[:, None], self.scales[:, None, None] ** 2  # [P, 1, M, D], [P, 1, 1, D]
        if var is None:
            psi1 = self.variance[:, None, None] * rbf(squared_distances(mean, self.z, self.scales[:, None]))
            trace = (psi1 @ self.b * psi1).sum(-1)
        else:
            wide = scales + var[:, None]  # [P, B, 1, D]
            distances = ((mean[:, None] - z) ** 2 / wide).sum(-1)
            psi1 = self.variance[:, None, None] * torch.exp(-0.5 * (distances + (wide / scales).log().sum(-1)))
            trace = (self.psi2(mean, var) * self.b[:, None]).sum((-1, -2))
        out = (psi1 @ self.a[..., None])[..., 0]
        return out.T, (self.noise + self.variance[:, None] + trace - out ** 2).T

    def psi2(self, mean, var):
        """The expectations [P, B, M, M] of products of two kernel values."""
        scales = self.scales[:, None] ** 2  # [P, 1, D]
        wide = scales + 2 * var  # [P, B, D]
        apart = 0.25 * squared_distances(self.z, self.z, self.scales[:, None])  # [P, M, M]
        # The exponent sum_d (mean - (z + z") / 2)^2 / wide is a sum of terms of each z and one product.
        centred = mean[:, None] - self.z[:, None]  # [P, B, M, D]
        weighted = centred / wide[:, :, None]
        own = (centred * weighted).sum(-1)
        exponent = 0.25 * (own[..., :, None] + own[..., None, :]) + 0.5 * weighted @ centred.mT
        constant = 2 * self.variance.log()[:, None] - 0.5 * (wide / scales).log().sum(-1)
        return torch.exp(constant[..., None, None] - apart[:, None] - exponent)


def inverse(lower):
    half = solve(lower, torch.eye(lower.shape[-1]).expand_as(lower))
    return half.mT @ half


def normal(precision, linear):
    """The sum of log-normalisers (without constants), the means and the covariances of Gaussians by natural parameters."""
    lower = torch.linalg.cholesky(precision)
    cov = inverse(lower)
    mean = (cov @ linear[..., None])[..., 0]
    return -lower.diagonal(dim1=-2, dim2=-1).log().sum() + 0.5 * (mean * linear).sum(), mean, cov


def approximate_ep(layers, x, y, rows):
    """The energy of a deep GP by approximate EP (Bui et al. 2016, section 4.2), Gaussian targets."""
    energy = sum(layer.prepare(rows) for layer in layers)
    mean, var = x, None
    for layer in layers:
        mean, var = layer.moments(mean, var)
    return energy + rows / len(x) * log_normal(y, mean, var).sum()


def training_step(rows, batch, inputs, parameters, objective):
    """Returns a step of Adam on an objective(x, y) of a minibatch of random data."""
    rng = np.random.default_rng(1)
    x, y = torch.tensor(rng.standard_normal((rows, inputs))), torch.tensor(rng.standard_normal((rows, 1)))
    adam = torch.optim.Adam([p.requires_grad_() for p in parameters], lr=1e-3)

    def step():
        now = torch.randint(rows, (batch,)) if batch < rows else slice(None)
        adam.zero_grad()
        (-objective(x[now], y[now])).backward()
        adam.step()

    return step


def sparse_layers(kernel, widths, m, kernels_per_gp):
    """Layers of sparse GPs with random inducing inputs: widths are D of the first layer and P of all layers."""
    layers = []
    for d, p in zip(widths, widths[1:]):
        k = p if kernels_per_gp else 1
        linear = None if len(layers) == len(widths) - 2 else torch.randn(d, p)
        layers.append(Layer(kernel, torch.randn(m, d), torch.ones(k), torch.full((k, d), d ** 0.5), torch.zeros(p, m),
                            torch.eye(m).repeat(p, 1, 1), linear))
    return layers


def parameters_of(layers):
    return [p for layer in layers for p in layer.parameters()]


def mean_field(rows, inputs, m):
    """Three layers, widths 5 and 5, one kernel per layer, five samples, batches of 512."""
    batch, samples, noise = 512, 5, torch.tensor(0.1)
    layers = sparse_layers(rbf, [inputs, 5, 5, 1], m, kernels_per_gp=False)

    def objective(x, y):
        eps = [torch.randn(samples, batch, 5) for _ in layers[1:]]
        return doubly_stochastic(layers, noise, x, y, eps, rows)

    return training_step(rows, batch, inputs, parameters_of(layers) + [noise], objective)


def dspp(rows, inputs, m):
    """Three layers, widths 5 and 5, full covariances, a kernel per GP, eight points, batches of 512."""
    noise, logits, points = torch.tensor(0.1), torch.zeros(8), [torch.randn(8, 5) for _ in range(2)]
    layers = sparse_layers(matern52, [inputs, 5, 5, 1], m, kernels_per_gp=True)
    return training_step(rows, 512, inputs, parameters_of(layers) + points + [noise, logits],
                         lambda x, y: predictive(layers, noise, x, y, points, logits, 1, rows))


def ppgpr(rows, inputs, m):
    """Full covariances, batches of 512."""
    noise, layers = torch.tensor(0.1), sparse_layers(matern52, [inputs, 1], m, kernels_per_gp=True)
    return training_step(rows, 512, inputs, parameters_of(layers) + [noise],
                         lambda x, y: predictive(layers, noise, x, y, [], None, 1, rows))


def svgp(rows, inputs, m):
    """Full covariances, batches of 512."""
    noise, layers = torch.tensor(0.1), sparse_layers(rbf, [inputs, 1], m, kernels_per_gp=False)
    return training_step(rows, 512, inputs, parameters_of(layers) + [noise],
                         lambda x, y: doubly_stochastic(layers, noise, x, y, [], rows))


def sgpr(rows, inputs, m):
    """The bound and its gradient for all rows."""
    z, variance, scales, noise = torch.randn(m, inputs), torch.tensor(1.0), torch.ones(inputs), torch.tensor(0.1)
    return training_step(rows, rows, inputs, [z, variance, scales, noise],
                         lambda x, y: collapsed(z, variance, scales, noise, x, y[:, 0]))


def avdgp(rows, inputs, _):
    """Three layers, widths 16 and 4, 8, 4 and 4 inducing points, 32 points, batches of 100."""
    widths, noise = [inputs, 16, 4, 1], torch.tensor(0.1)
    points, logits = [torch.randn(32, p) for p in widths[1:-1]], torch.zeros(32)

    def net(d, p):
        sizes = [d, min(d, p), min(d, p), p]
        return [(torch.randn(b, a) / a ** 0.5, torch.zeros(b)) for a, b in zip(sizes, sizes[1:])]

    layers = [Amortized(torch.eye(d).repeat(m, 1, 1), torch.randn(m, d), net(d, p * m), net(d, p * m), torch.ones(p),
                        torch.full((p, 1), d ** 0.5)) for d, p, m in zip(widths, widths[1:], (8, 4, 4))]
    return training_step(rows, 100, inputs, parameters_of(layers) + points + [noise, logits],
                         lambda x, y: amortized(layers, noise, x, y, points, logits, rows))


def aep(rows, inputs, m):
    """Two layers, width 2, batches of 256."""
    widths = [inputs, 2, 1]
    layers = [Tied(torch.randn(p, m, d), torch.ones(p), torch.full((p, d), d ** 0.5), torch.zeros(p, m),
                   ((0.1 / rows) ** 0.5 * torch.eye(m)).repeat(p, 1, 1), torch.tensor(0.1)) for d, p in zip(widths, widths[1:])]
    return training_step(rows, 256, inputs, parameters_of(layers), lambda x, y: approximate_ep(layers, x, y, rows))


def golden_layer(case, kernel, mean_key):
    """A whitened layer from the inducing outputs of a case of dspp or ppgpr."""
    t = {k: torch.tensor(case[k]) for k in ("Z", "q_mu", "q_std", "q_L") if k in case}
    linear = torch.tensor(case[mean_key]) if mean_key in case else None
    layer = Layer(kernel, t["Z"], torch.tensor(case["kernel"]["variance"]), torch.tensor(case["kernel"]["lengthscale"]),
                  t["q_mu"], t["q_L"] if "q_L" in t else torch.diag_embed(t["q_std"]), linear)
    lower = cholesky(layer.cov(layer.z, layer.z))
    offset = layer.mu if linear is None else layer.mu - (layer.z @ linear).T
    layer.mu, layer.root = solve(lower, offset[..., None])[..., 0], solve(lower, layer.root)
    return layer


def golden_mean_field(case, kernels):
    layers, at = [], 0
    mu, root = torch.tensor(case["mu_M"]), torch.tensor(case["L_S"])
    for c in case["layers"]:
        k, z = c["kernel"], torch.tensor(c["Z"])
        p, m = c["num_gps"], len(z)
        blocks = [slice(at + i * m, at + (i + 1) * m) for i in range(p)]
        at += p * m
        linear = {"linear": lambda: torch.tensor(c["mean"]["W"]), "identity": lambda: torch.eye(p), "zero": lambda: None}
        linear = linear[c["mean"]["type"]]()
        layer = Layer(kernels[k["type"]], z, torch.tensor([k["variance"]]), torch.tensor([k["lengthscales"]]), None, None, linear)
        lower = cholesky(layer.cov(z, z))
        layer.mu = solve(lower, torch.stack([mu[b] for b in blocks])[..., None])[..., 0]
        layer.root = solve(lower, torch.stack([root[b, b] for b in blocks]))
        layers.append(layer)
    eps = [torch.stack([torch.tensor(e[l], dtype=torch.float64) for e in case["eps"]]) for l in range(len(layers) - 1)]
    x, y = torch.tensor(case["X"]), torch.tensor(case["Y"])
    return doubly_stochastic(layers, torch.tensor(case["likelihood"]["variance"]), x, y, eps, case["N_total"])


def golden(case):
    """The objective of a golden case, or None for cases of other methods."""
    config, kernels = case.get("config", {}), {"rbf": rbf, "matern52": matern52}
    if case.get("family") == "mf" and case["likelihood"]["type"] == "gaussian":
        return golden_mean_field(case, kernels)
    if case.get("method") in ("dspp", "ppgpr", "avdgp", "aep"):
        p, x, y = case["params"], torch.tensor(case["data"]["X"]), torch.tensor(case["data"]["y"])
    if case.get("method") in ("dspp", "ppgpr"):
        layers = [golden_layer(c, kernels[config["kernel"]], "mean_W") for c in p["layers"]]
        points = [torch.tensor(v) for v in p.get("quad_xi", [])]
        logits = torch.tensor(p.get("quad_logits", [0.0]))
        return predictive(layers, torch.tensor(p["noise_var"]), x, y, points, logits, config["beta"], config["N"])
    if case.get("method") == "avdgp" and config["rule"] == "AR2P" and config["likelihood"] == "gaussian":
        if config["linear_mean"]:
            return None

        def net(v):
            return [(torch.tensor(v["W%d" % i]), torch.tensor(v["b%d" % i])) for i in (1, 2, 3)]

        layers = [Amortized(torch.tensor(c["affine"]["W"]), torch.tensor(c["affine"]["b"]), net(c["mean_net"]),
                            net(c["std_net"]), torch.tensor(c["kernel"]["variance"]),
                            torch.tensor(c["kernel"]["lengthscale"])) for c in p["layers"]]
        points = [torch.tensor(v) for v in p["quad_xi"]]
        return amortized(layers, torch.tensor(p["noise_var"]), x, y, points, torch.tensor(p["quad_logits"]), config["N"])
    if case.get("method") == "aep" and config["likelihood"] == "gaussian" and config["output_cov"] == "diag":
        def column(c, key):
            return torch.tensor([gp[key] for gp in c["gps"]])

        layers = [Tied(column(c, "Z"), column(c, "variance"), column(c, "lengthscale"), column(c, "T1"),
                       torch.linalg.cholesky(column(c, "T2")), torch.tensor(c["noise_var"])) for c in p["layers"]]
        return approximate_ep(layers, x, y, config["N"])
    return None


def main():
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json"))):
        with open(path) as file:
            case = json.load(file)
        value = golden(case)
        if value is None:
            continue
        wanted = case["elbo"] if "elbo" in case else case["expect"]["objective"]
        error = abs(value.item() / wanted - 1)
        print("%-24s %9.1e" % (os.path.basename(path), error))
        if not error < 1e-9:
            sys.exit(1)


if __name__ == "__main__":
    main()
