"""Runs a scene in a peer and reads its answer; references; agreement of the physical models."""
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import scenes  # noqa: E402
from flat import Physics, flatten, rotation, start_state  # noqa: E402

SAMPLES = 4  # of a run, equally spaced
PEERS = ("polhode", "pinocchio", "mujoco", "exudyn", "simbody", "bullet", "ida")


def deep_stack():
    """Long chains make some peers recurse deeply."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))


class Bench:
    """Where programs and files are."""

    def __init__(self, build, polhode_build, limit):
        self.build, self.limit = Path(build).resolve(), limit
        self.work = self.build / "work"
        self.polhode_build = Path(polhode_build).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.cache = {}

    def command(self, peer):
        if peer == "polhode": return [str(self.polhode_build / "benchmarks" / "polhode-measure")]
        if peer == "exudyn": return [str(self.build / "venv" / "bin" / "python"), "-W", "ignore", str(HERE / "exudyn_peer.py")]
        return [str(self.build / "programs" / f"peer-{peer}")]

    def available(self):
        def there(peer):
            if not Path(self.command(peer)[0]).exists(): return False
            return peer != "exudyn" or subprocess.run([self.command(peer)[0], "-c", "import exudyn"], capture_output=True).returncode == 0
        return [peer for peer in PEERS if there(peer)]

    def prepare(self, scene):
        """Writes the model and the flat scene; returns what is needed of it."""
        if scene.slug not in self.cache:
            model = scenes.model(scene.name, *scene.size)
            flat = flatten(model)
            (self.work / f"{scene.slug}.json").write_text(json.dumps(model))
            (self.work / f"{scene.slug}.flat.json").write_text(json.dumps(flat))
            self.cache[scene.slug] = flat, Physics(flat)
        return self.cache[scene.slug]

    def run(self, scene, setting, value, end, samples=SAMPLES, repeat=1, limit=None):
        """One run: the program's figures with `states` (samples, bodies, 13), or {"failed": why}."""
        self.prepare(scene)
        states = self.work / "states.bin"
        command = self.command(setting.peer)
        options = dict(setting.options)
        if setting.method == "energy-momentum": options = {"index": 3, **options}  # the plain rule on every scene
        if setting.peer == "polhode":
            command = [*command, str(self.work / f"{scene.slug}.json"), "--step", repr(value), "--set", f"integrator.name={setting.method}"]
            for key, entry in options.items(): command += ["--set", f"integrator.{key}={entry}"]
        else:
            command = [*command, str(self.work / f"{scene.slug}.flat.json"), "--method", setting.method, f"--{setting.by}", repr(value)]
            for key, entry in options.items(): command += ["--set", f"{key}={entry}"]
        times = [end * (k + 1) / samples for k in range(samples)]
        command += ["--samples", str(samples)] if setting.peer == "exudyn" else ["--at", ",".join(map(repr, times))]
        command += ["--end", repr(end), "--repeat", str(repeat), "--states", str(states)]
        return self.answer(scene, command, states, limit)

    def answer(self, scene, command, states, limit=None):
        states.unlink(missing_ok=True)
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit or self.limit, env=environment, cwd=self.work,
                                  preexec_fn=deep_stack)
        except subprocess.TimeoutExpired:
            return {"failed": "took too long"}
        if done.returncode != 0: return {"failed": (done.stderr.strip().splitlines() or ["no answer"])[-1][:200]}
        figures = json.loads(done.stdout.strip().splitlines()[-1])
        figures["states"] = np.fromfile(states).reshape(-1, len(self.cache[scene.slug][0]["bodies"]), 13)
        if not np.isfinite(figures["states"]).all(): return {"failed": "numbers that are none", "seconds": figures["seconds"]}
        return figures

    def exact(self, scene, end, tolerance=1e-13):
        """The motion by polhode's own solver of high order, which shares forces and joints with its integrators."""
        self.prepare(scene)
        times = ",".join(repr(end * (k + 1) / SAMPLES) for k in range(SAMPLES))
        states = self.work / "states.bin"
        return self.answer(scene, [*self.command("polhode"), str(self.work / f"{scene.slug}.json"), "--exact", repr(tolerance), "--end", repr(end),
                                   "--at", times, "--states", str(states)], states, 10 * self.limit)


def kept(physics, flat, states):
    """Largest error of energy, relative to the energy that moves (None where energy is not conserved), and of joints over samples."""
    first = start_state(flat)
    energies = np.array([physics.energy(s) for s in [first, *states]])
    scale = max(abs(energies[0].sum()), np.ptp(energies, axis=0).max(), energies[:, 0].max())
    change = np.abs(energies.sum(1) - energies[0].sum()).max()
    joint = max(physics.joint_error(s) for s in states)
    return (change / scale if physics.conservative else None), (change if physics.conservative else None), joint


def position_error(states, reference):
    return float(np.linalg.norm(states[..., :3] - reference[..., :3], axis=-1).max())


def four_bar_reference(n, end):
    """All uprights turn alike by theta from the vertical, bars do not turn: [(n + 1)/3 + n] theta'' = g [(n + 1)/2 + n] sin(theta)."""
    inertia, moment = (n + 1) / 3 + n, (n + 1) / 2 + n
    times = [end * (k + 1) / SAMPLES for k in range(SAMPLES)]
    s = solve_ivp(lambda t, y: [y[1], 9.81 * moment / inertia * np.sin(y[0])], (0, end), [0, 1], "DOP853", times, rtol=3e-14, atol=1e-14)
    rows = np.zeros((SAMPLES, 2 * n + 1, 13))
    for k, theta in enumerate(s.y[0]):
        half = (np.pi / 2 - theta) / 2
        for i in range(n + 1): rows[k, i, :7] = i + 0.5 * np.sin(theta), 0.5 * np.cos(theta), 0, np.cos(half), 0, 0, np.sin(half)
        for i in range(n): rows[k, n + 1 + i, :7] = i + 0.5 + np.sin(theta), np.cos(theta), 0, 1, 0, 0, 0
    return rows


def reference(bench, scene, peers, loops):
    """States at the samples, their source, and how far a second source is from them [m], or None."""
    if scene.name == "four_bar":
        rows = four_bar_reference(scene.size[0], scene.end)
        return rows, "pendulum equation, DOP853 at 3e-14", file_difference(scene, rows)
    second = bench.exact(scene, scene.end) if scene.name != "flyball" else {"failed": "stiff"}
    if "pinocchio" in peers and scene.name not in loops:
        from settings import Setting
        tight = bench.run(scene, Setting("pinocchio", "rkf78", "tolerance"), 1e-13, scene.end, limit=10 * bench.limit)
        if "states" in tight:
            difference = position_error(second["states"], tight["states"]) if "states" in second else file_difference(scene, tight["states"])
            return tight["states"], "Pinocchio with RKF78 at 1e-13", difference
    if "failed" in second: return None, second["failed"], None
    return second["states"], "polhode's extrapolation at 1e-13", file_difference(scene, second["states"])


def file_difference(scene, states):
    """Largest distance of the states from the model's file of reference, at the times that both have."""
    name = {"flyball": "flyball_governor", "four_bar": "four_bar_%d" % (scene.size or (0,))[0]}.get(scene.name, scene.name)
    file = ROOT / "models" / "references" / f"{name}.json"
    if not file.exists() or (scene.size and scene.name != "four_bar"): return None
    bodies = [b["name"] for b in scenes.model(scene.name, *scene.size)["bodies"]]
    worst = None
    for row in json.loads(file.read_text())["motion"]:
        k = row["time"] / scene.end * SAMPLES
        if abs(k - round(k)) > 1e-9 or not 1 <= round(k) <= SAMPLES or "position" not in row: continue
        state = states[round(k) - 1, bodies.index(row["body"])]
        distance = float(np.linalg.norm(state[:3] + rotation(state[3:7]) @ np.array(row["point"], float) - row["position"]))
        worst = distance if worst is None else max(worst, distance)
    return worst


def agreement(bench, scene, setting, tiny):
    """How far a peer's start and first accelerations are from polhode's model: relative difference of energy, and of the change of velocities
    in a tiny time, against the largest change."""
    value = tiny / 64 if setting.by == "step" else 1e-10
    ours = bench.exact(scene, tiny)
    theirs = bench.run(scene, setting, value, tiny, samples=1)
    if "failed" in theirs and setting.by == "tolerance": theirs = bench.run(scene, setting, 1e-6, tiny, samples=1)
    if "failed" in theirs: return theirs
    flat, physics = bench.prepare(scene)
    first = start_state(flat)
    mine, other = ours["states"][-1], theirs["states"][-1]
    change = np.abs(mine[:, 7:] - first[:, 7:]).max()
    scale = abs(physics.total_energy(first)) + physics.energy(first)[0]
    return {"energy": abs(physics.total_energy(other) - physics.total_energy(mine)) / (scale or 1),
            "acceleration": np.abs(other[:, 7:] - mine[:, 7:]).max() / change}
