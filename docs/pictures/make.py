# Draws docs/pictures/heavy_top.svg from results of the command: the path of the heavy top's centre, the polhode of a free body with
# two integrators, and their energy errors. Step, end and rho_inf of the free body were chosen to make the drift visible: after 300 s, or
# on models/dzhanibekov.json with rho_inf 0.9, it hardly is. Needs matplotlib and h5py (Debian: python3-matplotlib, python3-h5py).
#     python3 docs/pictures/make.py build/release/polhode
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import matplotlib
import numpy as np

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

here = Path(__file__).resolve().parent
command = sys.argv[1] if len(sys.argv) > 1 else "build/release/polhode"
blue, orange, grey = "#1261a6", "#e07b00", "#9aa3ad"
plt.rcParams.update({"font.size": 10.5, "font.family": "DejaVu Sans", "svg.hashsalt": "polhode", "axes.linewidth": 0.8})


def run(model, *options):
    """A result of the command, as arrays: time, position, angular velocity in the body, total energy."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.h5"
        subprocess.run([command, "run", here.parents[1] / "models" / model, "-q", "-o", file, *options], check=True)
        with h5py.File(file) as r:
            energy = sum(r["energy/" + part][()] for part in ("kinetic", "gravitational", "strain"))
            return r["time"][()], r["bodies/position"][:, 0], r["bodies/angular_velocity"][:, 0], energy


class View:
    """Parallel projection from the direction (azimuth, elevation), in degrees."""

    def __init__(self, azimuth, elevation):
        a, e = np.radians([azimuth, elevation])
        self.right = np.array([-np.sin(a), np.cos(a), 0])
        self.towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        self.up = np.cross(self.towards, self.right)

    def __call__(self, x):
        return x @ self.right, x @ self.up

    def draw(self, axes, x, normal, front, back):
        """A curve on a convex surface, bold where its normal points to the viewer."""
        u, v = self(x)
        seen = normal @ self.towards >= 0
        for style, part in ((back, ~seen), (front, seen)):
            part = part | np.roll(part, 1) if style is back else part
            axes.plot(np.where(part, u, np.nan), np.where(part, v, np.nan), **style)


def surface(axes, view, radii, lines=True):
    """The wires and the outline of an ellipsoid."""
    s = np.linspace(0, 2 * np.pi, 361)
    circle = np.stack([np.cos(s), np.sin(s), 0 * s], axis=1)
    faint, fainter = dict(color=grey, lw=0.5, alpha=0.55, zorder=1), dict(color=grey, lw=0.4, alpha=0.22, zorder=0)
    for k in range(9) if lines else ():  # meridians
        a = k * np.pi / 9
        n = circle @ np.array([[np.cos(a), np.sin(a), 0], [0, 0, 1], [0, 0, 0]])
        view.draw(axes, n * radii, n / radii, faint, fainter)
    for z in np.linspace(-0.8, 0.8, 7) if lines else ():  # parallels
        n = np.sqrt(1 - z * z) * circle + [0, 0, z]
        view.draw(axes, n * radii, n / radii, faint, fainter)
    # outline: the image of an ellipsoid is the ellipse with matrix P diag(radii^2) P^T
    P = np.array([view.right, view.up]) * radii
    root = np.linalg.cholesky(P @ P.T)
    axes.fill(*(root @ circle[:, :2].T), facecolor="#f4f6f8", edgecolor=grey, lw=0.9, zorder=-1)
    axes.set_aspect("equal")
    axes.axis("off")


figure = plt.figure(figsize=(10.4, 6.6))

# 1. the top's centre, which stays on the unit sphere about its tip
left = figure.add_axes([0.0, 0.34, 0.45, 0.58])
t, x, _, E = run("heavy_top.json", "--step", "5e-4", "--end-time", "6", "--output-step", "1e-3", "--integrator.order", "4")
view = View(65, -32)
surface(left, view, np.ones(3))
view.draw(left, x, x, dict(color=blue, lw=1.6, zorder=4), dict(color=blue, lw=0.9, alpha=0.35, zorder=3))
left.plot(*view(x[0]), "o", color=blue, ms=6, zorder=5)
left.plot(*view(np.zeros(3)), "o", color="#444", ms=3.5, zorder=5)
left.text(*(np.array(view(np.zeros(3))) + [0.04, 0.03]), "tip", color="#444", fontsize=9)
left.text(*(np.array(view(x[0])) + [0.04, 0.05]), "start", color=blue, fontsize=9)
left.set_title("Heavy top at 150 rad/s: path of its centre in 6 s\n"
               f"energy kept to {np.abs(E / E[0] - 1).max():.0e}", fontsize=11)

# 2. the polhode: the angular velocity in the body, on the ellipsoid of constant energy
right = figure.add_axes([0.5, 0.34, 0.49, 0.58])
J, h, end = np.array([0.6, 0.8, 1.0]), "0.25", "2000"
names = {"energy-momentum": ((), blue), "generalized-alpha": (("--integrator.name", "generalized-alpha", "--integrator.rho_inf", "0.6"), orange)}
results = {name: run("free_rigid_body.json", "--step", h, "--end-time", end, "--output-step", h, *options)
           for name, (options, _) in names.items()}
E0 = results["energy-momentum"][3][0]
radii = np.sqrt(2 * E0 / J)
view = View(28, 20)
surface(right, view, radii)
for name, (_, colour) in reversed(names.items()):
    W = results[name][2]
    seen = (W * J) @ view.towards >= 0
    u, v = view(W)
    for part, alpha in ((~seen, 0.35), (seen, 1)):
        right.plot(u[part], v[part], ".", color=colour, ms=3.4 if colour == blue else 2.2, mew=0, alpha=alpha,
                   zorder=4 + (colour == blue), rasterized=True)
for axis, label in zip(np.eye(3), ("1", "2", "3")):
    tip = axis * radii
    if (tip * J) @ view.towards >= 0:
        right.plot(*np.array([view(tip), view(1.18 * tip)]).T, color="#444", lw=0.9, zorder=6)
        right.text(*view(1.25 * tip), label, ha="center", va="center", color="#444", fontsize=9)
right.set_title(f"Free body: polhode, {len(results['energy-momentum'][0]) - 1} steps of {float(h):g} s\n"
                "it closes where energy and momentum are kept", fontsize=11)

# 3. what happens to the energy meanwhile
below = figure.add_axes([0.085, 0.085, 0.89, 0.215])
for name, (_, colour) in names.items():
    t, _, _, E = results[name]
    text = name + (", $\\rho_\\infty$ = 0.6" if colour == orange else "")
    below.semilogy(t[1:], np.maximum(np.abs(E / E[0] - 1)[1:], 1.1e-16), color=colour, lw=1.1, label=text)
below.set_ylim(1e-17, 1)
below.set_xlim(0, float(end))
below.set_yticks([1e-16, 1e-12, 1e-8, 1e-4, 1])
below.grid(color="#e3e6e9", lw=0.6)
below.set_xlabel("time [s]", labelpad=1)
below.set_ylabel("energy error,\nrelative")
below.legend(loc="center right", frameon=True, framealpha=0.9, edgecolor="none", fontsize=9.5)
for side in ("top", "right"):
    below.spines[side].set_visible(False)

figure.savefig(here / "heavy_top.svg", dpi=220, facecolor="white", metadata={"Date": None})
if len(sys.argv) > 2:
    figure.savefig(sys.argv[2], dpi=110, facecolor="white")  # a PNG, to look at
