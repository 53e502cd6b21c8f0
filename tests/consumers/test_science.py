"""scikit-learn, SciPy and scikit-image give on arrays what they give on ndarrays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import skimage.filters
import skimage.measure
import skimage.metrics
import skimage.transform

import burn_array

# SciPy reads SCIPY_ARRAY_API when it is imported, so its calls run in their own process.
SCIENCE = """
import os, sys, json
os.environ["SCIPY_ARRAY_API"] = "1"
import numpy as np, scipy, sklearn, burn_array as xp
from scipy import cluster, fft, integrate, interpolate, linalg, ndimage, optimize, signal, special, stats
from scipy.cluster import hierarchy
from scipy.spatial.transform import Rotation
from sklearn import decomposition, linear_model, metrics, mixture, pipeline, preprocessing
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
sklearn.set_config(array_api_dispatch=True)
rng = np.random.default_rng(0)
X, y, w = rng.standard_normal((60, 5)), rng.integers(0, 2, 60), rng.standard_normal(60)
X[:, 0] += 2 * y
V = np.abs(X[:, 0]) + 0.1
scaled = pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression())
ridge = linear_model.Ridge(solver="svd")
mixed = lambda: mixture.GaussianMixture(2, random_state=0, init_params="random")
CALLS = {
    "PCA": lambda X, y, w, V: decomposition.PCA(2, svd_solver="full").fit_transform(X),
    "Ridge": lambda X, y, w, V: ridge.fit(X, w).predict(X),
    "RidgeCV": lambda X, y, w, V: linear_model.RidgeCV().fit(X, w).predict(X),
    "LogisticRegression": lambda X, y, w, V: scaled.fit(X, y).predict_proba(X),
    "LDA": lambda X, y, w, V: LinearDiscriminantAnalysis().fit(X, y).predict_proba(X),
    "GaussianNB": lambda X, y, w, V: GaussianNB().fit(X, y).predict_proba(X),
    "GaussianMixture": lambda X, y, w, V: mixed().fit(X).means_,
    "GridSearchCV": lambda X, y, w, V: GridSearchCV(ridge, {"alpha": [1.0, 5.0]}).fit(X, w).predict(X),
    "MinMaxScaler": lambda X, y, w, V: preprocessing.MinMaxScaler().fit_transform(X),
    "PolynomialFeatures": lambda X, y, w, V: preprocessing.PolynomialFeatures(2).fit_transform(X),
    "pairwise": lambda X, y, w, V: metrics.pairwise.rbf_kernel(X),
    "log_softmax": lambda X, y, w, V: special.log_softmax(X, axis=1),
    "erf": lambda X, y, w, V: special.erf(X),
    "stdtrit": lambda X, y, w, V: special.stdtrit(V, special.expit(w)),
    "betaincinv": lambda X, y, w, V: special.betaincinv(V, V, special.expit(w)),
    "zscore": lambda X, y, w, V: stats.zscore(X, axis=0),
    "ttest": lambda X, y, w, V: stats.ttest_1samp(X, 0.5).pvalue,
    "fftconvolve": lambda X, y, w, V: signal.fftconvolve(w, V),
    "detrend": lambda X, y, w, V: signal.detrend(w),
    "rfft": lambda X, y, w, V: abs(fft.rfft(w)),
    "gaussian_filter": lambda X, y, w, V: ndimage.gaussian_filter(X, 1.0),
    "whiten": lambda X, y, w, V: cluster.vq.whiten(X),
    "linkage": lambda X, y, w, V: hierarchy.linkage(X, "average"),
    "trapezoid": lambda X, y, w, V: integrate.cumulative_trapezoid(V),
    "block_diag": lambda X, y, w, V: linalg.block_diag(X, X),
    "Rotation": lambda X, y, w, V: Rotation.from_rotvec(X[:, :3]).as_matrix(),
    "rosen": lambda X, y, w, V: optimize.rosen_der(w),
}
out = {}
for name, call in CALLS.items():
    made = call(*(xp.asarray(v, device=sys.argv[1]) for v in (X, y, w, V)))
    expected = call(X, y, w, V)
    assert type(made) is xp.Array, (name, type(made))
    got = np.asarray(made)
    assert got.shape == expected.shape, (name, got.shape, expected.shape)
    out[name] = [str(made.device), str(made.dtype) == str(expected.dtype), float(np.max(np.abs(got - expected)))]
sklearn.set_config(array_api_dispatch=False)
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
A, b = xp.asarray(X, device=sys.argv[1]), xp.asarray(y, device=sys.argv[1])
out["RandomForest score"] = RandomForestClassifier(10, random_state=0).fit(A, b).score(A, b)
means = KMeans(2, n_init=1, random_state=0)
out["KMeans inertia"] = means.fit(A).inertia_ / means.fit(X).inertia_
scores = xp.asarray(V, device=sys.argv[1])
sklearn.set_config(array_api_dispatch=True)
for name, got, expected in (
    ("roc_auc_score", metrics.roc_auc_score(b, scores), metrics.roc_auc_score(y, V)),
    ("roc_curve", metrics.roc_curve(b, scores)[1], metrics.roc_curve(y, V)[1]),
):
    out[name] = float(np.max(np.abs(np.asarray(got) - expected)))
print(json.dumps(out))
"""


@pytest.mark.needs("64 bits")
def test_scikit_learn_and_scipy(device: burn_array.Device, run_python: Callable[..., str]) -> None:
    # Two functions of SciPy 1.17 convert a NumPy result without a device, so it is on the default device.
    found: dict[str, Any] = json.loads(run_python(SCIENCE, str(device), flags=("-W", "ignore")))
    assert found.pop("RandomForest score") > 0.9
    assert found.pop("KMeans inertia") == pytest.approx(1.0)
    assert found.pop("roc_auc_score") < 1e-12
    assert found.pop("roc_curve") < 1e-12
    if not device.has_views:  # scikit-learn writes into a slice of the covariances
        del found["GaussianMixture"]
    where = {name: str(device) for name in found} | dict.fromkeys(("detrend", "gaussian_filter"), "numpy")
    wrong = {
        name: (at, same_dtype, error)
        for name, (at, same_dtype, error) in found.items()
        if at != where[name] or not same_dtype or not error < 1e-9
    }
    assert wrong == {}
    assert len(found) == (27 if device.has_views else 26)


@pytest.fixture
def image(device: burn_array.Device) -> Any:
    return burn_array.asarray(IMAGE, device=device)


IMAGE = np.random.default_rng(0).random((32, 32))
IMAGES = [
    lambda x: skimage.filters.gaussian(x, 1.0),
    lambda x: skimage.filters.sobel(x),
    lambda x: skimage.filters.threshold_otsu(x),
    lambda x: skimage.transform.resize(x, (16, 16)),
    lambda x: skimage.measure.label(x > 0.5),
    lambda x: skimage.metrics.structural_similarity(x, x * 0.9, data_range=1.0),
    lambda x: skimage.metrics.peak_signal_noise_ratio(x, x * 0.9, data_range=1.0),
]


@pytest.mark.parametrize("call", IMAGES)
@pytest.mark.needs("64 bits")
def test_scikit_image(image: Any, call: Any) -> None:
    np.testing.assert_allclose(np.asarray(call(image)), call(IMAGE), rtol=1e-12)
