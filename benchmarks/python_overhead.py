"""What Python adds: to a run, to a step, and what a load in Python costs. Runs alternate, and the quickest of each kind counts.
Times are those of the processor, which a busy machine spoils less than those of the clock.

    python benchmarks/python_overhead.py [repetitions]
"""

import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import polhode

ROOT = pathlib.Path(__file__).resolve().parent.parent
BESIDE = pathlib.Path(sys.executable).parent / "polhode"
COMMAND = str(BESIDE if BESIDE.exists() else shutil.which("polhode") or ROOT / "build/release/polhode")


def of_command(path: pathlib.Path) -> float:
    """Processor time of the whole command [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([COMMAND, "run", path, "--quiet", "-o", "none"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def quickest(repetitions: int, *kinds):  # type: ignore[no-untyped-def]
    """The least of each kind, taken in turns."""
    best = [float("inf")] * len(kinds)
    for _ in range(repetitions):
        for k, kind in enumerate(kinds):
            best[k] = min(best[k], kind())
    return best


def timed(function) -> float:  # type: ignore[no-untyped-def]
    began = time.process_time()
    function()
    return time.process_time() - began


def main(repetitions: int) -> None:
    print("a whole run: polhode.simulate against the command")
    for name, steps in [("heavy_top", 200000), ("flyball_governor", 20000), ("chain_revolute", 10000)]:
        model = polhode.Model.load(ROOT / f"models/{name}.json")
        model.simulation.end_time = steps * model.simulation.step
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.json"
            model.save(path)
            command, python = quickest(repetitions, lambda: of_command(path), lambda: timed(lambda: polhode.simulate(path, progress=False)))
        print(f"  {name:18} {python / command:6.3f}  of {1e6 * command / steps:.2f} us a step")

    print("a step: sim.step() against the steps of sim.step(n)")
    for name in ("heavy_top", "flyball_governor"):
        model = polhode.Model.load(ROOT / f"models/{name}.json")
        count = 20000
        one, many = polhode.Simulation(model), polhode.Simulation(model)

        def single() -> None:
            for _ in range(count):
                one.step()

        a, b = quickest(repetitions, lambda: timed(single), lambda: timed(lambda: many.step(count)))
        print(f"  {name:18} {1e6 * (a - b) / count:6.3f} us more, {a / b:.3f} times")

    print("100 000 steps with a load in Python against the same load of the model")
    push = [0.0, 0.0, 1.0]
    runs = []
    for force in (polhode.forces.Force("f", body="b", vector=push), polhode.forces.Load("f", body="b", function=lambda t, x, q, v, w: push)):
        runs.append(polhode.Model(bodies=[polhode.Body("b", mass=1, inertia=[1, 2, 3], angular_velocity=[1, 2, 3])], forces=[force]))
    own, mine = quickest(repetitions, *[lambda model=model: timed(lambda: polhode.simulate(model, step=1e-4, end_time=10, progress=False)) for model in runs])
    print(f"  {own:.2f} s and {mine:.2f} s: {mine / own:.1f} times, {1e6 * (mine - own) / 1e5:.1f} us a step more")

    print("10 000 steps with an energy in Python against the same spring")
    ends = dict(between=["ground", "b"], at_a=[0, 0, 1])
    runs = []
    for force in (polhode.forces.SpringDamper("f", stiffness=20, length=0.5, **ends),
                  polhode.forces.Potential("f", energy=lambda y: 10 * (y - 0.5) ** 2, gradient=lambda y: 20 * (y - 0.5), hessian=lambda y: 20.0, **ends)):
        runs.append(polhode.Model(bodies=[polhode.Body("b", mass=1, inertia=[1, 2, 3], angular_velocity=[1, 2, 3])], forces=[force]))
    own, mine = quickest(repetitions, *[lambda model=model: timed(lambda: polhode.simulate(model, step=1e-3, end_time=10, progress=False)) for model in runs])
    print(f"  {own:.2f} s and {mine:.2f} s: {mine / own:.1f} times, {1e6 * (mine - own) / 1e4:.1f} us a step more")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
