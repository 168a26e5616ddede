"""Studies and plots: the tables of the command, and figures that draw."""

import json

import numpy as np
import pytest
from conftest import ROOT

import polhode

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(scope="module")
def convergence():
    path = ROOT / "models/heavy_top.json"
    return polhode.study.converge(path, [polhode.EnergyMomentum(), "energy-momentum order=4"], steps=[2e-3, 1e-3, 5e-4], end_time=0.02, reference="computed")


def test_observed_orders(convergence):
    second, fourth = convergence.methods
    assert second.order("position") == pytest.approx(2, abs=0.1)
    assert fourth.order("position") == pytest.approx(4, abs=0.4)
    assert len(convergence.runs) == 6 and "observed order" in str(convergence)
    assert np.all(np.diff(second.column("position_error")) < 0)


def test_a_comparison_is_that_of_the_command(command, tmp_path):
    path = ROOT / "models/pendulum.json"
    words = ["--step", "0.01", "--end_time", "0.1", "--json", "-q", "--reference", "computed"]
    theirs = json.loads(command("compare", path, *words).stdout)
    mine = polhode.study.compare(polhode.Model.load(path).copy(step=0.01), end_time=0.1, reference="computed")
    assert [run.integrator for run in mine.runs] == [run["integrator"] for run in theirs["runs"]]
    for run, other in zip(mine.runs, theirs["runs"]):
        assert run.position_error == other["position_error"] and run.energy_balance_error == other["energy_balance_error"]
    table = mine.to_pandas()
    assert len(table) == len(mine.runs) and "position_error" in table


def test_a_spectrum_has_its_closed_form():
    """Chung and Hulbert's method: the radius at infinity is rho_inf; energy-momentum has 1 everywhere."""
    alpha, em = polhode.study.spectrum([polhode.GeneralizedAlpha(rho_inf=0.6), "energy-momentum"], [0.01, 0.1, 1000.0])
    splits = (2 * np.pi * 1000) ** (-2 / 3)  # the three roots meet at infinity, and split by the cube root of 1/(omega h)^2
    assert abs(alpha.radius[-1] - 0.6) < splits and np.allclose(em.radius, 1, atol=1e-9)
    assert em.period_error[0] == pytest.approx((2 * np.pi * 0.01) ** 2 / 12, rel=1e-2)


def test_figures_draw(convergence, top, tmp_path):
    import matplotlib.pyplot as plt

    result = polhode.simulate(top)
    damped = polhode.simulate(top, integrator=polhode.GeneralizedAlpha())
    for axes in [
        polhode.plot.energy(result), polhode.plot.certificate([result, damped]), polhode.plot.phase(result, "top", component="z"),
        polhode.plot.phase([result, damped], "top", angular=True, labels=["a", "b"]), polhode.plot.convergence(convergence),
        polhode.plot.work_precision(convergence), polhode.plot.spectrum(polhode.study.spectrum(["rattlie", "energy-momentum"], [0.1, 0.2])),
    ]:
        assert axes.get_xlabel() and axes.get_ylabel() and axes.lines
        axes.figure.savefig(tmp_path / "figure.pdf")
        plt.close(axes.figure)
    _, own = plt.subplots()
    assert polhode.plot.energy(result, own) is own
    plt.close("all")


def test_studies_that_make_no_sense_are_refused(top):
    for wrong in [dict(steps=[]), dict(steps=[-1.0]), dict(halvings=0)]:
        with pytest.raises(ValueError):
            polhode.study.converge(top, **wrong)
    with pytest.raises(polhode.ModelError):
        polhode.study.compare(top, ["no-such-method"])
    with pytest.raises(polhode.ModelError):
        polhode.study.compare(top, reference="no/such/file.json")
    with pytest.raises(ValueError):
        polhode.study.spectrum("energy-momentum", [-1])
    with pytest.raises(ValueError, match="component"):
        polhode.plot.phase(polhode.simulate(top), "top", component="w")


def test_check_says_what_the_command_says(command):
    path = ROOT / "models/planar_four_bar.json"
    report = polhode.check(path)
    assert report.to_dict() == json.loads(command("check", path, "--json").stdout)
    assert report.freedoms == 1 and report.redundant == 3 and "1 degree of freedom" in str(report)


def test_serving_names_the_methods_and_the_reasons():
    methods = polhode.study.serving(ROOT / "models/pendulum.json")
    assert methods["energy-momentum"] is None and all(reason is None or reason for reason in methods.values())


def test_the_error_of_a_trajectory_is_estimated(top):
    coarse, fine = (polhode.simulate(top, step=step, estimate_error=True).certificate.trajectory_error for step in (1e-3, 5e-4))
    assert 3.8 < coarse.position / fine.position < 4.2  # order 2
