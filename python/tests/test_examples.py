"""What the documentation shows runs as it stands: README, examples, notebooks; and its types are right."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT, command_path

import polhode

EXAMPLES = sorted([*(ROOT / "examples").glob("*.py"), *(ROOT / "examples").glob("own_integrator/*.py")])
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))


def run(path, folder):
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    return subprocess.run([sys.executable, path], capture_output=True, text=True, cwd=folder, timeout=300, env=environment)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path, tmp_path):
    done = run(path, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "leak" not in done.stderr


def test_every_example_in_cpp_has_its_twin():
    for source in (ROOT / "examples").glob("*.cpp"):
        assert source.with_suffix(".py").exists(), source
    assert list((ROOT / "examples/own_integrator").glob("*.py"))


def code_of(page, language="python"):
    """The pieces of code of a page."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_ten_lines_of_the_readme_run(tmp_path):
    pieces = [code for code in code_of("README.md") if "import polhode" in code]
    assert pieces
    for code in pieces:
        (tmp_path / "readme.py").write_text(code)
        done = run(tmp_path / "readme.py", tmp_path)
        assert done.returncode == 0, done.stderr
        assert "Certificate" in done.stdout


def test_the_code_of_the_documentation_runs_in_order(tmp_path):
    """The pieces of docs/python.md, one after the other in one program."""
    code = "\n".join(code_of("docs/python.md"))
    assert "import polhode" in code
    (tmp_path / "documentation.py").write_text(code)
    done = run(tmp_path / "documentation.py", tmp_path)
    assert done.returncode == 0, done.stderr


def test_types_of_the_examples_are_right():
    pytest.importorskip("mypy")
    files = [str(path) for path in EXAMPLES]
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, *files], capture_output=True, text=True, cwd=ROOT / "examples", timeout=300)
    assert done.returncode == 0, done.stdout


def test_types_of_the_package_are_right(tmp_path):
    pytest.importorskip("mypy")
    folder = pathlib.Path(polhode.__file__).parent.parent
    found = {} if folder.name == "site-packages" else {"MYPYPATH": str(folder)}  # where mypy looks by itself, or not
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--config-file", os.devnull, "-p", "polhode"],
                          capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **found}, timeout=300)
    assert done.returncode == 0, done.stdout


def test_types_of_options_are_checked(tmp_path):
    pytest.importorskip("mypy")
    folder = pathlib.Path(polhode.__file__).parent.parent
    found = {} if folder.name == "site-packages" else {"MYPYPATH": str(folder)}
    (tmp_path / "wrong.py").write_text('import polhode\npolhode.simulate("m.json", stpe=1)\npolhode.Simulation("m.json", assembly="loose")\n'
                                       'polhode.simulate("m.json", step=1e-3, assembly="project", output="m.h5")\n')
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "wrong.py"],
                          capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **found}, timeout=300)
    lines = [line for line in done.stdout.splitlines() if "error:" in line]
    assert [line.split(":")[1] for line in lines] == ["2", "3"] and "stpe" in lines[0] and "assembly" in lines[1], done.stdout


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    assert all(not cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")  # none is stored


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 4


def test_the_command_is_that_of_this_version(command):
    assert command("--version").stdout.strip() == f"polhode {polhode.__version__}"
    assert command_path().exists()


def test_documentation_says_what_everything_is():
    for name in polhode.__all__:
        thing = getattr(polhode, name)
        if callable(thing) or hasattr(thing, "__path__"):
            assert thing.__doc__, name
    for cls in (polhode.Result, polhode.Simulation, polhode.System, polhode.Model):
        for name, member in vars(cls).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                if name not in ("complete", "node_count", "steps_done", "bodies", "from_dict", "to_dict"):
                    assert member.__doc__, (cls, name)
