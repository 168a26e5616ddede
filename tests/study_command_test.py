"""The verbs that compare methods: spectrum, compare, converge, reproduce."""

import csv
import json
import math
import re
import subprocess
import xml.etree.ElementTree

import pytest

from command import BAD_INPUT, MODELS, OK, POLHODE, ROOT, RUN_FAILED, polhode, written


def test_spectrum_tells_radius_period_and_damping(tmp_path):
    run = polhode("spectrum", "--integrator", "generalized-alpha rho_inf=0.8", "--integrator", "rattlie", "--h-over-t", "0.1,0.5",
                  "--csv", "s.csv", "--svg", "s.svg", cwd=tmp_path)
    assert run.returncode == OK and "0.999904" in run.stdout and "real" in run.stdout
    rows = list(csv.DictReader((tmp_path / "s.csv").open()))
    assert [row["integrator"] for row in rows] == ["generalized-alpha rho_inf=0.8"] * 2 + ["rattlie"] * 2
    assert float(rows[0]["spectral_radius"]) == pytest.approx(0.9999044214, abs=1e-10)  # closed form of Chung and Hulbert
    assert rows[3]["period_error"] == "" and float(rows[3]["spectral_radius"]) > 1  # beyond the limit of an explicit method
    drawing = xml.etree.ElementTree.parse(tmp_path / "s.svg").getroot()
    assert len(drawing.findall("{http://www.w3.org/2000/svg}g")) == 3
    again = json.loads(polhode("spectrum", "--json", "--points", "3").stdout)
    methods = json.loads(polhode("integrators", "--json").stdout)
    assert [entry["integrator"] for entry in again] == [method["name"] for method in methods]
    assert all(entry["note"] == "" and [p["h_over_t"] for p in entry["points"]] == pytest.approx([0.01, 10**-0.5, 10]) for entry in again)


@pytest.mark.parametrize("words", [("--integrator", "rattle"), ("--integrator", "rattlie rho_inf"), ("--h-over-t", "-1"),
                                   ("--from", "2", "--to", "1"), ("--points", "1", "--json"), ("--integrator", "generalized-alpha rho_inf=2")])
def test_spectrum_refuses_what_makes_no_sense(words):
    run = polhode("spectrum", *words)
    assert run.returncode == BAD_INPUT and run.stderr and not run.stdout


# ---------------------------------------------------------------------------------------- compare, converge, reproduce


def shown_rows(text):
    """The rows of a study's table as printed: {(integrator, step): {heading: text}}; headings hold single spaces."""
    lines = text.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("  integrator "))
    headings = re.split(r" {2,}", lines[first].strip())
    rows = {}
    for line in lines[first + 1:]:
        cells = re.split(r" {2,}", line.strip())
        if len(cells) != len(headings):
            break
        row = dict(zip(headings, cells))
        rows[row["integrator"], float(row["step [s]"])] = row
    return rows


COLUMNS = {"position_error": "position [m]", "velocity_error": "velocity [m/s]", "energy_balance_error": "energy",
           "constraint_velocity": "their rates", "iterations_per_step": "iterations"}


def test_compare_says_the_same_as_table_json_and_csv(model, tmp_path):
    words = ["compare", model, "--steps", "0.02,0.01", "--integrator", "energy-momentum", "--integrator", "generalized-alpha rho_inf=0.8"]
    table = polhode(*words, "--csv", "t.csv", cwd=tmp_path)
    assert table.returncode == OK and table.stderr == ""
    figures = json.loads(polhode(*words, "--json").stdout)
    rows = list(csv.DictReader((tmp_path / "t.csv").open()))
    shown = shown_rows(table.stdout)
    names = [(name, step) for name in ("energy-momentum", "generalized-alpha rho_inf=0.8") for step in (0.02, 0.01)]
    assert [(run["integrator"], run["step"]) for run in figures["runs"]] == names == [(row["integrator"], float(row["step"])) for row in rows] == list(shown)
    assert figures["model"] == "pendulum" and figures["end_time"] == 1 and figures["reference"]["source"] and figures["reference"]["times"]
    assert figures["reference"]["source"] in table.stdout and figures["reference"]["error"] in table.stdout
    for run, row, name in zip(figures["runs"], rows, names):
        assert run["failure"] is None and row["failure"] == ""
        for key, heading in COLUMNS.items():
            assert float(row[key]) == pytest.approx(run[key], rel=1e-8)
            assert float(shown[name][heading]) == pytest.approx(run[key], rel=6e-3)
    best, damped = figures["runs"][1], figures["runs"][3]
    assert best["energy_balance_error"] < 1e-13 < 1e-7 < damped["energy_balance_error"]
    assert figures["runs"][0]["position_error"] / best["position_error"] == pytest.approx(4, rel=0.1)  # order 2


def test_compare_takes_all_methods_that_serve_and_says_which_do_not(model):
    done = polhode("compare", model, "--end-time", "0.1")
    assert done.returncode == OK
    methods = [method["name"] for method in json.loads(polhode("integrators", "--json").stdout)]
    left_out = re.findall(r"left out: ([a-z-]+): ", done.stderr)
    assert left_out and "rattlie" in done.stderr  # what to use instead
    assert [name for name, _ in shown_rows(done.stdout)] == [name for name in methods if name not in left_out]
    assert polhode("compare", model, "--end-time", "0.1", "--quiet").stderr == ""


def test_compare_measures_against_the_reference_that_it_is_told(model, tmp_path):
    exact = {"source": "a test", "motion": [{"time": 1, "body": "bob", "point": [0, 0, 0], "position": [1, 0, 0.5], "accuracy": 1e-9}]}
    path = written(tmp_path / "reference.json", exact)
    run = json.loads(polhode("compare", model, "--integrator", "rattlie", "--json", "--reference", path).stdout)
    end = json.loads(polhode("run", model, "--json", "-o", "none", "--integrator.name", "rattlie").stdout)["bodies"]["bob"]["position"]
    assert run["reference"]["source"].startswith("a test")
    assert run["runs"][0]["position_error"] == pytest.approx(math.dist(end, [1, 0, 0.5]), rel=1e-9)
    computed = json.loads(polhode("compare", model, "--integrator", "rattlie", "--json", "--reference", "computed").stdout)
    assert "extrapolation" in computed["reference"]["source"] and computed["runs"][0]["position_error"] < 1e-3


def test_compare_tells_of_a_method_that_cannot_serve():
    done = polhode("compare", MODELS / "heavy_top.json", "--end-time", "0.1", "--integrator", "staggered", "--integrator", "rattlie")
    assert done.returncode == OK and "no result" in done.stdout and "use rattlie" in done.stdout
    alone = polhode("compare", MODELS / "heavy_top.json", "--end-time", "0.1", "--integrator", "staggered", "--json")
    assert alone.returncode == RUN_FAILED and "constraints" in json.loads(alone.stdout)["runs"][0]["failure"]


def test_converge_finds_the_order_in_table_json_csv_and_figure(model, tmp_path):
    words = ["converge", model, "--step", "0.02", "--halvings", "3", "--integrator", "rattlie", "--integrator", "energy-momentum order=4"]
    table = polhode(*words, "--csv", "c.csv", "--svg", "c.svg", cwd=tmp_path)
    assert table.returncode == OK
    figures = json.loads(polhode(*words, "--json").stdout)
    assert [method["integrator"] for method in figures["methods"]] == ["rattlie", "energy-momentum order=4"]
    slow, fast = figures["methods"]
    assert slow["orders"]["position"]["order"] == pytest.approx(2, abs=0.05)
    assert fast["orders"]["position"]["order"] == pytest.approx(4, abs=0.3)
    assert fast["orders"]["velocity"]["order"] == pytest.approx(2, abs=0.1)  # with joints
    assert [run["step"] for run in slow["runs"]] == [0.02, 0.01, 0.005, 0.0025]
    for method in (slow, fast):
        assert re.search(rf"{method['integrator']} +position {method['orders']['position']['order']:.2f}", table.stdout)
    rows = list(csv.DictReader((tmp_path / "c.csv").open()))
    runs = slow["runs"] + fast["runs"]
    assert [(row["integrator"], float(row["step"])) for row in rows] == [(run["integrator"], run["step"]) for run in runs]
    for run, row in zip(runs, rows):
        assert float(row["position_error"]) == pytest.approx(run["position_error"], rel=1e-8)
    assert len(xml.etree.ElementTree.parse(tmp_path / "c.svg").getroot().findall("{http://www.w3.org/2000/svg}g")) >= 2


def test_converge_stops_at_the_floor_and_says_so(model):
    method = json.loads(polhode("converge", model, "--step", "0.01", "--halvings", "12", "--integrator", "energy-momentum order=4", "--json").stdout)["methods"][0]
    assert method["stopped"] and len(method["runs"]) < 13


@pytest.mark.parametrize("verb", ["compare", "converge"])
@pytest.mark.parametrize(
    "words, said",
    [
        (["--integrator", "energy-momentun"], 'did you mean "energy-momentum"'),
        (["--integrator", "generalized-alpha rho_if=0.8"], 'did you mean "rho_inf"'),
        (["--integrator", "generalized-alpha rho_inf=2"], "between 0 and 1"),
        (["--stepps", "0.01"], 'did you mean "--steps"'),
        (["--steps", "0.01,zero"], "--steps"),
        (["--steps=-0.01"], "above 0"),
        (["--steps", "0"], "above 0"),
        (["--steps", "nan"], "above 0"),
        (["--repeat", "0"], "--repeat"),
        (["--reference", "no_such_file.json"], "no_such_file.json"),
    ],
)
def test_a_study_refuses_what_makes_no_sense(verb, words, said, model):
    done = polhode(verb, model, "--quiet", *words)
    assert done.returncode == BAD_INPUT and done.stdout == "" and said in done.stderr, done.stderr
    assert len(done.stderr) < 500


@pytest.mark.parametrize("words", [["compare", "--csv"], ["converge", "--csv"], ["converge", "--svg"]])
def test_a_study_that_cannot_be_written_is_refused_before_it_runs(words, model, tmp_path):
    long = ["--step", "1e-6", "--end-time", "1e5", "--integrator", "energy-momentum"]  # would take a day
    for path in (tmp_path / "no/such/file", tmp_path):
        done = subprocess.run([POLHODE, words[0], model, words[1], path, *long], capture_output=True, text=True, timeout=20)
        assert done.returncode == RUN_FAILED and str(path) in done.stderr


PAPERS = sorted(path.name for path in (ROOT / "docs/papers").iterdir() if path.is_dir())


def test_reproduce_writes_a_page_with_its_figures_tables_and_models(tmp_path):
    done = polhode("reproduce", "nielsen-krenk", "--output", tmp_path)
    assert done.returncode == OK and "nielsen-krenk: " in done.stdout and "confirmed" in done.stdout
    folder = tmp_path / "nielsen-krenk"
    assert [path.name for path in tmp_path.iterdir()] == ["nielsen-krenk"]
    page = (folder / "README.md").read_text()
    linked = set(re.findall(r"\]\(([\w./-]+\.(?:csv|svg|json))\)", page))
    assert linked == {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"README.md"}
    for name in linked:
        if name.endswith(".svg"):
            assert xml.etree.ElementTree.parse(folder / name).getroot().tag.endswith("svg")
        elif name.endswith(".json"):
            assert polhode("check", folder / name).returncode == OK
        else:  # a table: as many cells in each row, and the same ones on the page
            rows = list(csv.reader((folder / name).open()))
            assert len({len(row) for row in rows}) == 1 and len(rows) > 1
            for row in rows:
                assert f"| {' | '.join(row)} |" in page


def test_reproduce_refuses_a_paper_that_it_does_not_know(tmp_path):
    done = polhode("reproduce", "nielsen-crenk", "--output", tmp_path)
    assert done.returncode == BAD_INPUT and 'did you mean "nielsen-krenk"' in done.stderr and not list(tmp_path.iterdir())
    assert all(paper in done.stderr for paper in PAPERS)
    wrong = polhode("reproduce", "--outputt", tmp_path)
    assert wrong.returncode == BAD_INPUT and 'did you mean "--output"' in wrong.stderr


def test_reproduce_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    done = polhode("reproduce", "nielsen-krenk", "--output", tmp_path / "file")
    assert done.returncode == RUN_FAILED and "file" in done.stderr


def test_help_tells_what_each_study_does():
    for verb, words in {
        "compare": ["--integrator", "--steps", "--reference", "--csv", "--json", "default: all that serve", "Examples:", "--end-time"],
        "converge": ["--integrator", "--steps", "--halvings", "--svg", "default: the model's own", "Examples:"],
        "reproduce": ["--output", "all", "docs/papers", *PAPERS],
    }.items():
        done = polhode(verb, "--help")
        assert done.returncode == OK and done.stderr == ""
        for word in words:
            assert word in done.stdout, f"{verb}: {word}"
    for verb, line in re.findall(r"  polhode (compare|converge) (.*)", polhode("compare", "--help").stdout + polhode("converge", "--help").stdout):
        assert (ROOT / line.split()[0]).exists()  # examples name models that are there
