"""Times training steps of other programs, for .ci/peers/run. All numbers are float64.

    peer.py NAME ROWS INDUCING SECONDS

prints the median wall-clock time and the mean processor time of a step in milliseconds. The data are standard normal, with
eight inputs and one target. torchgps.py has the models whose names begin with torch, and gpytorchgps.py those with gpytorch.
These two run on the device in PEER_DEVICE, such as cuda.
"""
import importlib
import os
import resource
import sys
import time

import numpy as np

INPUTS = 8


def data(rows):
    rng = np.random.default_rng(1)
    return rng.standard_normal((rows, INPUTS)), rng.standard_normal(rows)


def sklearn_gp(rows, _):
    """The evidence of an exact GP and its gradient: a kernel variance, a lengthscale per input and the noise."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    x, y = data(rows)
    kernel = ConstantKernel(1.0) * RBF(np.ones(INPUTS)) + WhiteKernel(0.01)
    gp = GaussianProcessRegressor(kernel=kernel, optimizer=None).fit(x, y)
    theta = gp.kernel_.theta
    return lambda: gp.log_marginal_likelihood(theta, eval_gradient=True, clone_kernel=False)


def numpy_hmc(rows, _):
    """A trajectory of 20 leapfrog steps for a network with 50 hidden units, its noise and its weight variance."""
    x, y = data(rows)
    x, y = x.T, y[None]
    rng = np.random.default_rng(2)
    width, leapfrogs, size = 50, 20, 1e-4
    shapes = [(width, INPUTS), (width, 1), (1, width), (1, 1)]
    counts = [a * b for a, b in shapes]
    n = sum(counts)

    def unpack(v):
        parts, at = [], 0
        for shape, count in zip(shapes, counts):
            parts.append(v[at:at + count].reshape(shape))
            at += count
        return parts

    def gradient(v):
        w1, b1, w2, b2 = unpack(v)
        noise, prior = np.exp(v[n]), np.exp(v[n + 1])
        h = np.maximum(w1 @ x + b1, 0)
        d = (y - w2 @ h - b2) / noise
        dh = w2.T @ d
        dh[h <= 0] = 0
        g = np.empty_like(v)
        for out, part in zip(unpack(g), (dh @ x.T, dh.sum(1, keepdims=True), d @ h.T, d.sum(1, keepdims=True))):
            out[:] = part
        g[:n] -= v[:n] / prior
        # Inverse-Gamma priors of both variances, in their logarithms.
        g[n] = 0.5 * noise * (d ** 2).sum() - 0.5 * rows - 1 + 0.01 / noise
        g[n + 1] = 0.5 * (v[:n] @ v[:n]) / prior - 0.5 * n - 1 + 1 / prior
        return g

    v = np.concatenate([0.1 * rng.standard_normal(n), [np.log(0.1), 0]])

    def step():
        position, momentum = v.copy(), rng.standard_normal(n + 2)
        momentum += 0.5 * size * gradient(position)
        for i in range(leapfrogs):
            position += size * momentum
            momentum += (size if i < leapfrogs - 1 else 0.5 * size) * gradient(position)

    return step


def main():
    name, rows, inducing, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    library, _, model = name.partition("-")
    if "torch" in library:
        import torch

        torch.set_default_dtype(torch.float64)
        torch.manual_seed(1)
        if "PEER_DEVICE" in os.environ:
            torch.set_default_device(os.environ["PEER_DEVICE"])
        models = importlib.import_module(library + "gps")
        compute = getattr(models, model.replace("-", "_"))(rows, INPUTS, inducing)

        def step():
            compute()
            if torch.cuda.is_available():
                torch.cuda.synchronize()
    else:
        step = globals()[name.replace("-", "_")](rows, inducing)
    for _ in range(2):
        step()
    times = []
    start = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_SELF)
    while len(times) < 3 or time.perf_counter() - start < seconds:
        last = time.perf_counter()
        step()
        times.append(time.perf_counter() - last)
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{1e3 * np.median(times):.4f} {1e3 * cpu / len(times):.4f}")


main()
