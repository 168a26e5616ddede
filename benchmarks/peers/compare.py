"""The comparison: models checked, references made, work against precision, time per body and step; then tables and figures."""
import argparse
import json
import math
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import report  # noqa: E402
from measure import ROOT, Bench, agreement, kept, position_error, reference  # noqa: E402
from settings import GROWTH, LOOPS, STEPS, WORK_PRECISION, Scene, Setting, steps, work_precision  # noqa: E402

TARGETS = (1e-3, 1e-5, 1e-6, 1e-7)  # errors of the trajectory [m]
AGREE = 1e-4                        # of energy and accelerations; soft constraints are that far from rigid ones


stopped = False


def stop(*_):
    """On Ctrl-C or the end of a time limit: the scene that runs is finished, and what was measured is written."""
    global stopped
    stopped = True


def unless_stopped(scenes):
    for scene in scenes:
        if stopped: return
        yield scene


def say(text): print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def repeats(seconds):
    """How often a run that takes so long is repeated in a turn: a processor needs some milliseconds to get up to speed."""
    return max(1, min(100, int(0.1 / seconds)))


def known_orders(bench):
    """Orders of composition that polhode's energy-momentum has."""
    top = WORK_PRECISION[0]
    return [order for order in (2, 4, 6, 8)
            if "failed" not in bench.run(top, Setting("polhode", "energy-momentum", "step", {"order": order}), 0.01, 0.1, samples=1)]


def check_models(bench, chosen, peers):
    """Every peer's model against polhode's. Returns rows for the table, and the pairs (scene, peer) that disagree or failed."""
    rows, bad = [], set()
    for scene in chosen:
        tiny = 1e-5 if scene.name == "andrews" else 1e-4
        candidates = {}
        for setting in work_precision(scene, [2]):
            candidates.setdefault(setting.peer, []).append(setting)
        for peer, tried in candidates.items():
            if peer == "polhode" or peer not in peers: continue
            found = [agreement(bench, scene, setting, tiny) for setting in tried]
            good = [f for f in found if "failed" not in f]
            if not good:
                rows.append({"scene": scene.title, "peer": peer, "energy": "", "acceleration": "", "verdict": found[0]["failed"]})
                bad.add((scene.slug, peer))
                continue
            best = min(good, key=lambda f: f["acceleration"])
            same = best["energy"] < AGREE and best["acceleration"] < AGREE
            rows.append({"scene": scene.title, "peer": peer, **best, "verdict": "same" if same else "not the same model"})
            if not same: bad.add((scene.slug, peer))
            say(f"  {scene.title}, {peer}: energy {best['energy']:.1e}, accelerations {best['acceleration']:.1e}")
    return rows, bad


def sweep(bench, scene, setting, ref, budget):
    """Runs from coarse to fine until the error is below the last target, or no longer falls, or a run takes too long."""
    flat, physics = bench.prepare(scene)
    values = ([scene.end / (scene.coarsest * 2**k) for k in range(16)] if setting.by == "step" else [10.0**-k for k in range(3, 14)])
    points, rising = [], 0
    for value in values:
        got = bench.run(scene, setting, value, scene.end, limit=4 * budget)
        if "failed" in got:
            if points or got["failed"] == "took too long": break
            continue  # too coarse, perhaps
        error = position_error(got["states"], ref)
        energy, joules, joint = kept(physics, flat, got["states"])
        rising = rising + 1 if points and error > 0.7 * points[-1]["error"] else 0
        points.append({"scene": scene.title, "peer": setting.peer, "setting": setting.label, setting.by: value, "seconds": got["seconds"],
                       "error": error, "energy_error": energy, "energy_error_J": joules, "joint_error": joint,
                       "steps": got.get("steps", ""), "iterations": got.get("iterations", "")})
        if error < 0.5 * TARGETS[-1] or got["seconds"] > budget or rising >= 4: break
    return points


def time_to(points, target):
    """Seconds to reach an error, by interpolation of logarithms between the runs on both sides of it; None if never reached."""
    best = None
    for k, p in enumerate(points):
        if p["error"] > target: continue
        seconds = p["seconds"]
        if k and points[k - 1]["error"] > target and points[k - 1]["seconds"] < seconds:
            q = points[k - 1]
            s = math.log(q["error"] / target) / math.log(q["error"] / max(p["error"], 1e-300))
            seconds = q["seconds"] ** (1 - s) * seconds ** s
        best = seconds if best is None else min(best, seconds)
    return best


def repeat(bench, scene, curves, rounds):
    """Measures again, all peers in turn, those runs of each peer's best setting that decide a target. Keeps the least time."""
    chosen = []
    for peer in {s.peer for s, _ in curves}:
        for target in TARGETS:
            times = [(time_to(points, target), k) for k, (s, points) in enumerate(curves) if s.peer == peer and points]
            times = [t for t in times if t[0] is not None]
            if not times: continue
            setting, points = curves[min(times)[1]]
            for k, p in enumerate(points):
                near = p["error"] <= target and (k == 0 or points[k - 1]["error"] > target)
                if near: chosen += [(setting, points[i]) for i in (k - 1, k) if i >= 0]
    unique = {(id(p)): (s, p) for s, p in chosen}
    for _ in range(rounds):
        for setting, p in unique.values():
            got = bench.run(scene, setting, p[setting.by], scene.end, repeat=repeats(p["seconds"]))
            if "seconds" in got: p["seconds"] = min(p["seconds"], got["seconds"])


def compare_precision(bench, chosen, peers, orders, bad, budget, rounds):
    points, times, references = [], [], []
    for scene in unless_stopped(chosen):
        ref, source, difference = reference(bench, scene, peers, LOOPS)
        references.append({"scene": scene.title, "source": source, "second_source_differs_by": "" if difference is None else difference})
        say(f"{scene.title}: reference from {source}, a second one differs by {difference}")
        if ref is None: continue
        curves = []
        for setting in work_precision(scene, orders):
            if setting.peer not in peers or (scene.slug, setting.peer) in bad: continue
            curve = sweep(bench, scene, setting, ref, budget)
            curves.append((setting, curve))
            reached = ", ".join(f"{t:g}: {1e3 * s:.2f} ms" for t in TARGETS if (s := time_to(curve, t)) is not None)
            say(f"  {setting.peer} {setting.label}: {reached or 'no target reached'}")
        repeat(bench, scene, curves, rounds)
        for setting, curve in curves:
            points += curve
            row = {"scene": scene.title, "peer": setting.peer, "setting": setting.label}
            for target in TARGETS:
                seconds = time_to(curve, target)
                row[f"seconds_to_{target:g}"] = "" if seconds is None else seconds
            times.append(row)
    return points, times, references


def compare_steps(bench, chosen, peers, budget, rounds):
    rows = []
    for scene in unless_stopped(chosen):
        flat, physics = bench.prepare(scene)
        n = len(flat["bodies"])
        count = max(40, min(1000, 20000 // n) // 4 * 4)  # 40: a guess from earlier steps has something to go by
        entries = []
        for setting in steps(scene):
            if setting.peer not in peers: continue
            step = scene.step
            got = bench.run(scene, setting, step, step * count, limit=max(20 * budget, 60))
            if "states" not in got and setting.peer != "polhode":  # unstable, perhaps: a step costs the same when it is short
                step = scene.step / 100
                got = bench.run(scene, setting, step, step * count, limit=max(20 * budget, 60))
            if "seconds" not in got:
                say(f"  {scene.title}, {setting.peer} {setting.label}: {got['failed']}")
                continue
            energy, joules, joint = kept(physics, flat, got["states"]) if "states" in got else (math.inf, math.inf, math.inf)
            entries.append((setting, {"scene": scene.title, "bodies": n, "peer": setting.peer, "setting": setting.label, "step": step, "steps": count,
                                      "seconds": got["seconds"], "energy_error": energy, "energy_error_J": joules, "joint_error": joint,
                                      "iterations_a_step": got["iterations"] / count if got.get("iterations") else ""}))
        quick = sum(row["seconds"] for _, row in entries) < 1  # then more turns cost little: on a shared machine, most are disturbed
        for _ in range(4 * rounds if quick else rounds):
            for setting, row in entries:
                if row["seconds"] > budget: continue
                got = bench.run(scene, setting, row["step"], row["step"] * count, repeat=repeats(row["seconds"]))
                if "seconds" in got: row["seconds"] = min(row["seconds"], got["seconds"])
        for setting, row in entries:
            row["us_per_body_and_step"] = 1e6 * row["seconds"] / (n * count)
            say(f"  {scene.title}, {setting.peer} {setting.label}: {row['us_per_body_and_step']:.3f} us per body and step")
            rows.append(row)
    return rows


def measure_command(bench, rounds):
    """A heavy top through `polhode run`, without a result file: microseconds a step by the certificate (wall clock)."""
    top = WORK_PRECISION[0]
    bench.prepare(top)
    command = [str(bench.polhode_build / "polhode"), "run", str(bench.work / f"{top.slug}.json"), "--json", "--step", "0.001", "--end-time", "10", "--output", "none"]
    seconds = []
    for _ in range(1 + rounds):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0: return []
        seconds.append(json.loads(done.stdout)["seconds"])
    return [{"what": "heavy_top through the command", "step": 0.001, "steps": 10000, "us_per_step": 1e6 * min(seconds) / 10000}]


def measure_growth(bench, rounds):
    """polhode's time for each body and step of spherical chains of all sizes, interleaved: equal steps, equally many. Many rounds, because long
    chains wait for a memory that other programs use too."""
    step, count = 1e-3, 40
    setting = Setting("polhode", "energy-momentum", "step", {"order": 2})
    rows = []
    for n in GROWTH:
        scene = Scene("chain_spherical", (n,), 0, 0, step)
        bench.prepare(scene)
        rows.append((scene, {"scene": scene.title, "bodies": n, "step": step, "steps": count, "seconds": math.inf}))
    for _ in range(1 + 4 * rounds):
        for scene, row in rows:
            got = bench.run(scene, setting, step, step * count, repeat=repeats(row["seconds"]))
            if "seconds" not in got: return []
            row["seconds"] = min(row["seconds"], got["seconds"])
            row["iterations_a_step"] = got["iterations"] / count
    for scene, row in rows:
        row["us_per_body_and_step"] = 1e6 * row["seconds"] / (row["bodies"] * count)
        say(f"  {scene.title}: {row['us_per_body_and_step']:.3f} us per body and step")
    return [row for _, row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs, once: shows that everything works, not how fast")
    parser.add_argument("--scenes", default="", help="only those whose name begins so, separated by commas")
    parser.add_argument("--peers", default="", help="only these peers, beside polhode")
    parser.add_argument("--rounds", type=int, help="interleaved repetitions (3; with --quick none)")
    parser.add_argument("--budget", type=float, help="longest run that is followed by a finer one [s] (5; with --quick 0.3)")
    parser.add_argument("--polhode", default=str(ROOT / "build" / "release"), help="the build of polhode that is measured")
    parser.add_argument("--build", default=str(ROOT / "build" / "peers"))
    parser.add_argument("--only", choices=("precision", "steps", "growth"), help="one of the comparisons, or only polhode's own growth with the number of bodies")
    o = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, stop)
    budget = o.budget or (0.3 if o.quick else 5)
    rounds = o.rounds if o.rounds is not None else (0 if o.quick else 3)
    bench = Bench(o.build, o.polhode, limit=20 * budget)
    peers = [p for p in bench.available() if p == "polhode" or not o.peers or p in o.peers.split(",")]
    if "polhode" not in peers: sys.exit(f"{bench.command('polhode')[0]} is not there; run benchmarks/peers/setup")
    wanted = [w for w in o.scenes.split(",") if w]
    def pick(all_scenes): return [s for s in all_scenes if not wanted or any(s.slug.startswith(w) for w in wanted)]
    say(f"peers: {', '.join(peers)}")
    orders = known_orders(bench)
    results = {}
    if o.only in (None, "precision"):
        say("models")
        results["checks"], bad = check_models(bench, pick(WORK_PRECISION), peers)
        results["work_precision"], results["times"], results["references"] = compare_precision(
            bench, pick(WORK_PRECISION), peers, orders, bad, budget, rounds)
    if o.only == "growth": results["growth"] = measure_growth(bench, rounds)
    if o.only in (None, "steps"):
        say("steps")
        few = [s for s in pick(STEPS) if not o.quick or not s.size or s.size[0] <= 1100]
        results["command"] = measure_command(bench, rounds)
        if not o.quick and pick([Scene("chain_spherical", (n,), 0, 0) for n in GROWTH]): results["growth"] = measure_growth(bench, rounds)
        results["steps"] = compare_steps(bench, few, peers, budget, rounds)
    report.write(results, peers, o)


if __name__ == "__main__":
    main()
