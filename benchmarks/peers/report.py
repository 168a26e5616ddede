"""What a comparison leaves behind: CSV files by machine, figures, and the tables of docs/performance.md."""
import csv
import math
import platform
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import NullFormatter  # noqa: E402
from measure import ROOT  # noqa: E402

COLOURS = {"polhode": "#c0392b", "pinocchio": "#2471a3", "mujoco": "#1e8449", "exudyn": "#b9770e", "simbody": "#7d3c98", "bullet": "#5d6d7e",
           "ida": "#17202a"}
NAMES = {"polhode": "polhode", "pinocchio": "Pinocchio", "mujoco": "MuJoCo", "exudyn": "Exudyn", "simbody": "Simbody", "bullet": "Bullet", "ida": "IDA"}
BEGIN, END = "<!-- benchmarks/peers/run writes from here -->", "<!-- to here -->"


def machine():
    """Its name for folders, and in words."""
    info = Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", info)[1].strip()
    cores = info.count("processor\t")
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1]) / 2**20
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    words = f"{model}, {cores} processors, {memory:.0f} GiB, Linux {platform.release()}, g++ {compiler}"
    return re.sub(r"[^a-z0-9]+", "-", f"{model} {cores}".lower()).strip("-"), words


def versions(peers):
    """Of what was compared, as the packages tell."""
    import importlib.metadata as packages
    found = {}
    for peer, package in (("pinocchio", "pin"), ("mujoco", "mujoco"), ("exudyn", "exudyn")):
        try:
            found[peer] = packages.version(package)
        except packages.PackageNotFoundError:
            pass
    for peer, package in (("simbody", "libsimbody-dev"), ("bullet", "libbullet-dev"), ("ida", "libsundials-dev")):
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True).stdout
        if version: found[peer] = f"{version} ({package})"
    return ", ".join(f"{NAMES[p]} {found[p]}" for p in peers if p in found)


def write_csv(file, rows):
    if not rows: return
    keys = list(dict.fromkeys(key for row in rows for key in row))
    with open(file, "w", newline="") as out:
        writer = csv.DictWriter(out, keys, lineterminator="\n")
        writer.writeheader()
        for row in rows: writer.writerow({k: (f"{v:.6g}" if isinstance(v, float) else "" if v is None else v) for k, v in row.items()})


def read_csv(file):
    """Rows as they were: numbers where they read as such, None where there is nothing."""
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text or None
    if not file.exists(): return []
    with open(file, newline="") as rows: return [{k: value(v) for k, v in row.items()} for row in csv.DictReader(rows)]


def seconds(value): return "" if value in ("", None) else f"{1e3 * value:.2f}" if value < 10 else f"{1e3 * value:.0f}"
def power(value): return "" if value in ("", None) else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def best(times, scene, peer, column):
    """The least time of a peer, with the setting that took it."""
    found = [(row[column], row["setting"]) for row in times if row["scene"] == scene and row["peer"] == peer and row.get(column) not in ("", None)]
    return min(found) if found else (None, None)


def precision_table(times, peers):
    scenes = list(dict.fromkeys(row["scene"] for row in times))
    lines = ["| scene | error | " + " | ".join(NAMES[p] for p in peers if p != "bullet") + " |", "| --- | --- |" + " --- |" * sum(p != "bullet" for p in peers)]
    for scene in scenes:
        for target in ("0.001", "1e-05", "1e-07"):
            cells = [best(times, scene, p, f"seconds_to_{target}")[0] for p in peers if p != "bullet"]
            fastest = min((c for c in cells if c is not None), default=None)
            lines.append(f"| {scene} | {power(float(target))} | " + " | ".join(
                f"**{seconds(c)}**" if c is not None and c == fastest else seconds(c) or "–" for c in cells) + " |")
    return lines


def settings_table(times, peers):
    lines = ["| scene | " + " | ".join(NAMES[p] for p in peers if p != "bullet") + " |", "| --- |" + " --- |" * sum(p != "bullet" for p in peers)]
    for scene in dict.fromkeys(row["scene"] for row in times):
        chosen = [best(times, scene, p, "seconds_to_1e-05")[1] or best(times, scene, p, "seconds_to_0.001")[1] or "–" for p in peers if p != "bullet"]
        lines.append(f"| {scene} | " + " | ".join(chosen) + " |")
    return lines


def steps_table(rows, peers):
    lines = ["| scene | step | " + " | ".join(NAMES[p] for p in peers if p != "ida") + " |", "| --- | --- |" + " --- |" * sum(p != "ida" for p in peers)]
    for scene in dict.fromkeys(row["scene"] for row in rows):
        cells = []
        step = max(r["step"] for r in rows if r["scene"] == scene)
        for p in peers:
            if p == "ida": continue
            own = [r for r in rows if r["scene"] == scene and r["peer"] == p]
            fastest = min(own, key=lambda r: r["us_per_body_and_step"], default=None)
            unstable = fastest is not None and fastest["step"] < 0.5 * step
            wrong = fastest is not None and fastest["energy_error"] == math.inf
            cells.append("–" if fastest is None else f"{fastest['us_per_body_and_step']:.2f}"
                         + (" †" if wrong else " *" if unstable else "" if fastest["energy_error"] is None else f" ({power(fastest['energy_error'])})"))
        lines.append(f"| {scene} | {step:g} | " + " | ".join(cells) + " |")
    return lines


def headlines(results):
    """The figures that the project set itself, as measured."""
    times, rows, lines = results.get("times", []), results.get("steps", []), []
    def step_of(scene, peer, **wanted):
        own = [r for r in rows if r["scene"] == scene and r["peer"] == peer]
        return min((r["us_per_body_and_step"] for r in own), default=None)
    def add(what, value): lines.append(f"| {what} | {value} |")
    for chain in ("chain_spherical", "straight_chain"):
        ours, theirs = step_of(f"{chain} 1000", "polhode"), step_of(f"{chain} 1000", "pinocchio")
        if ours and theirs: add(f"{chain} 1000, µs per body and step: polhode energy-momentum; Pinocchio, one RK4 step (time only, see †); ratio", f"{ours:.2f}; {theirs:.2f}; {ours / theirs:.2f}")
    growth = results.get("growth", [])
    if len(growth) > 1:
        first, last = growth[0], growth[-1]
        exponent = math.log(last["seconds"] / first["seconds"]) / math.log(last["bodies"] / first["bodies"])
        sizes = ", ".join(f"{row['bodies']:.0f}" for row in growth)
        costs = ", ".join(f"{row['us_per_body_and_step']:.2f}" for row in growth)
        add(f"chain_spherical, {first['steps']:.0f} steps of 1 ms, N = {sizes}: µs per body and step; exponent of growth", f"{costs}; {exponent:.3f}")
    ours, theirs = step_of("chain_spherical 400", "polhode"), step_of("chain_spherical 400", "exudyn")
    if ours and theirs: add("chain of 400, equal step: Exudyn's implicit solver, µs per body and step; times slower than polhode", f"{theirs:.1f}; {theirs / ours:.1f}")
    one = step_of("heavy_top", "polhode")
    if one: add("single heavy top, energy-momentum, h = 1e-3, µs per step in the library", f"{one:.2f}")
    for row in results.get("command", []): add("the same through `polhode run` without output, µs per step", f"{row['us_per_step']:.2f}")
    def row_of(scene, target, what):
        cells = [(NAMES[p], best(times, scene, p, f"seconds_to_{target}")[0]) for p in NAMES]
        told = [f"{name} {seconds(value)}" for name, value in cells if value is not None]
        if told: add(what, ", ".join(told) + " ms")
    row_of("heavy_top", "1e-06", "heavy top, time per simulated second to 1e-6 in x(1)")
    for scene in ("four_bar 2", "four_bar 40", "chain_spherical 10", "bricard", "flyball", "andrews"): row_of(scene, "1e-05", f"{scene}, time to a trajectory error of 1e-5 m")
    return ["| what | measured |", "| --- | --- |", *lines] if lines else []


def figure_precision(points, folder):
    for scene in dict.fromkeys(p["scene"] for p in points):
        fig, ax = plt.subplots(figsize=(6.4, 4.4))
        curves = defaultdict(list)
        for p in points:
            if p["scene"] == scene: curves[p["peer"], p["setting"]].append((p["error"], p["seconds"]))
        drawn = set()
        for (peer, setting), curve in curves.items():
            curve = sorted((e, s) for e, s in curve if 1e-12 < e < 10)
            if not curve: continue
            main = peer not in drawn
            drawn.add(peer)
            ax.loglog(*zip(*curve), color=COLOURS[peer], marker="o", markersize=3, linewidth=1.4 if peer == "polhode" else 0.9, alpha=0.9,
                      label=NAMES[peer] if main else None)
            ax.annotate(setting.replace("energy-momentum ", ""), curve[0], fontsize=5.5, color=COLOURS[peer], ha="right")
        ax.invert_xaxis()
        ax.set_xlabel("largest error of a position [m]")
        ax.set_ylabel("processor time [s]")
        ax.set_title(scene)
        ax.grid(True, which="major", alpha=0.3)
        ax.legend(fontsize=8)
        fig.tight_layout()
        fig.savefig(folder / f"peers_{scene.replace(' ', '_')}.svg", metadata={"Date": None})
        plt.close(fig)


def figure_steps(rows, folder):
    families = defaultdict(list)
    for r in rows: families[r["scene"].split()[0]].append(r)
    families = {k: v for k, v in families.items() if len({r["bodies"] for r in v}) > 1}
    if not families: return
    columns = min(4, len(families))
    rows_of_axes = -(-len(families) // columns)
    fig, axes = plt.subplots(rows_of_axes, columns, figsize=(2.6 * columns + 1, 2.9 * rows_of_axes), sharey=True, squeeze=False)
    for ax in axes.flat[len(families):]: ax.set_visible(False)
    for ax, (family, own) in zip(axes.flat, families.items()):
        for peer in NAMES:
            curve = {}
            for r in own:
                if r["peer"] == peer: curve[r["bodies"]] = min(curve.get(r["bodies"], math.inf), r["us_per_body_and_step"])
            if curve: ax.loglog(*zip(*sorted(curve.items())), color=COLOURS[peer], marker="o", markersize=3, label=NAMES[peer])
        ax.set_title(family, fontsize=9)
        ax.set_xlabel("bodies")
        ax.grid(True, which="major", alpha=0.3)
        ax.xaxis.set_minor_formatter(NullFormatter())
        low, high = ax.get_xlim()
        ax.set_xlim(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)))
    for row in axes: row[0].set_ylabel("µs per body and step")
    axes[0][0].legend(fontsize=7)
    fig.tight_layout()
    fig.savefig(folder / "peers_steps.svg", metadata={"Date": None})
    plt.close(fig)


def write(results, peers, options):
    """A whole comparison goes into benchmarks/results and docs/, one of some scenes or peers into build/peers/results."""
    name, words = machine()
    partial = bool(options.scenes or options.peers)
    folder = Path(options.build) / "results" if partial else ROOT / "benchmarks" / "results" / name
    pictures = folder if partial else ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for part, rows in results.items(): write_csv(folder / f"{part}.csv", rows)
    kind = "a quick run: it shows that everything works, not how fast" if options.quick else "the least of interleaved repetitions"
    (folder / "machine.txt").write_text(f"{words}\n{versions(peers)}\n{kind}\n")
    if results.get("work_precision"): figure_precision(results["work_precision"], pictures)
    if results.get("steps"): figure_steps(results["steps"], pictures)
    for part in ("times", "work_precision", "steps", "command", "growth"):  # what was not measured now stays as it was
        if part not in results: results[part] = read_csv(folder / f"{part}.csv")
    tables = "\n".join(page_body(results, peers, f"Machine: {words}. {versions(peers)}. This is {kind}."))
    if partial:
        (folder / "tables.md").write_text(tables)
        return print(f"written: {folder}")
    page = ROOT / "docs" / "performance.md"
    text = page.read_text()
    if BEGIN not in text: return print(f"{page}: no place for tables; wants the line {BEGIN}")
    head, rest = text.split(BEGIN)
    page.write_text(head + BEGIN + "\n" + tables + END + rest.split(END, 1)[1])
    print(f"written: {folder}, {page}")


def page_body(results, peers, first):
    body = [first, "", *headlines(results), ""]
    if results.get("times"):
        body += ["Time to a trajectory error [ms of processor time], the largest error of a body's position over four times of the run; bold: the",
                 "fastest, –: not reached or not expressible.", "", *precision_table(results["times"], peers), "",
                 "Settings that were the fastest to 1e-5:", "", *settings_table(results["times"], peers), ""]
        body += [f"![{scene}](pictures/peers_{scene.replace(' ', '_')}.svg)" for scene in dict.fromkeys(p["scene"] for p in results["work_precision"])]
        body.append("")
    if results.get("steps"):
        body += ["Time per body and step [µs], with the largest relative error of energy at four times of a short run; *: not stable with this step,",
                 "measured with a hundredth of it; †: the time of a step, but its numbers are not the motion (see below):", "", *steps_table(results["steps"], peers), "", "![time per body and step](pictures/peers_steps.svg)", ""]
    return body
