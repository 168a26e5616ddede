"""Results of before: a file without what forces show of themselves is read as before."""

import h5py

from command import OK, PENDULUM, polhode, written


def test_a_file_without_outputs_is_read(tmp_path):
    model = written(tmp_path / "model.json", PENDULUM)
    assert polhode("run", model, "-q", "-o", tmp_path / "run.h5").returncode == OK
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        for name in ("outputs", "names/outputs", "names/output_units", "names/output_meanings"):
            del file[name]
    done = polhode("export", tmp_path / "run.h5", "--to", "csv", "-o", tmp_path / "run.csv")
    assert done.returncode == OK, done.stderr
    header = (tmp_path / "run.csv").read_text().splitlines()[0]
    assert header.startswith("time,") and header.endswith("newton.iterations")
