"""The pages under docs/papers are what the command makes: the same files, and the same numbers in every table.

`polhode reproduce all` runs once, and each of its CSV files is compared with the one that is checked in. Two cells agree if

- they are the same text, or
- both are whole numbers, such as counts of iterations, that differ by at most 10%, or
- both are other numbers, at least one of them not below 1e-9 in size, that differ by at most 1.5 units of the last digit printed or by
  2e-13, which is what rounding leaves of a small difference of positions near 1 m, or
- both are numbers below 1e-9 in size: errors at the level of rounding, which another compiler changes digit by digit. They agree if
  they are within a factor of 100 of each other, 1e-16 taken for anything smaller.

Numbers inside a text ("0 (rounding)") are part of the text. POLHODE_BUILD names the folder of the build, build/release unless set.
"""

import csv
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"
PAGES = ROOT / "docs/papers"
ROUNDING, SMALLEST, OF_POSITIONS = 1e-9, 1e-16, 2e-13
WHOLE = re.compile(r"[+-]?\d+")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?")


def last_digit(text):
    """The size of a unit of the last digit of a number as it is printed."""
    mantissa, _, exponent = text.partition("e")
    _, _, decimals = mantissa.partition(".")
    return 10.0 ** (int(exponent or 0) - len(decimals))


def agree(a, b):
    if a == b:
        return True
    if not (NUMBER.fullmatch(a) and NUMBER.fullmatch(b)):
        return False
    x, y = float(a), float(b)
    if max(abs(x), abs(y)) < ROUNDING:
        small, large = sorted(max(abs(v), SMALLEST) for v in (x, y))
        return large <= 100 * small
    if WHOLE.fullmatch(a) and WHOLE.fullmatch(b):
        return abs(x - y) <= 0.1 * max(abs(x), abs(y))
    return abs(x - y) <= max(1.5 * last_digit(a), 1.5 * last_digit(b), OF_POSITIONS)


def differences(made, kept):
    """Where two tables, lists of rows of texts, do not agree: one line each."""
    if [len(row) for row in made] != [len(row) for row in kept]:
        return [f"{len(made)} rows of {[len(r) for r in made[:1]]} cells, there are {len(kept)} of {[len(r) for r in kept[:1]]}"]
    return [f"row {i}, {kept[0][k]}: {a}, kept is {b}"
            for i, (row, other) in enumerate(zip(made, kept)) for k, (a, b) in enumerate(zip(row, other)) if not agree(a, b)]


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    done = subprocess.run([POLHODE, "reproduce", "all", "--quiet", "--output", folder], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_pages_have_the_same_files(made):
    assert files(made) == files(PAGES)


TABLES = sorted(str(path.relative_to(PAGES)) for path in PAGES.glob("*/*.csv"))


@pytest.mark.parametrize("name", TABLES)
def test_the_numbers_are_those_that_are_checked_in(name, made):
    wrong = differences(table(made / name), table(PAGES / name))
    assert not wrong, "\n".join([f"{name}: run polhode reproduce, and look at what changed", *wrong[:20]])


def verdicts(page):
    """Where, what the paper says, and whether it is borne out: of every claim on a page."""
    rows = [line.strip("| ").split(" | ") for line in page.read_text(encoding="utf-8").splitlines()]
    return [(row[0], row[1], row[-1]) for row in rows if row[-1] in ("confirmed", "in part", "**not confirmed**", "not tested")]


@pytest.mark.parametrize("name", sorted(path.name for path in PAGES.iterdir()))
def test_every_claim_has_the_verdict_that_is_checked_in(name, made):
    kept = verdicts(PAGES / name / "README.md")
    assert kept and verdicts(made / name / "README.md") == kept


def test_the_models_beside_the_pages_are_those_of_the_tree():
    for path in PAGES.glob("*/models/*.json"):
        assert path.read_bytes() == (ROOT / "models" / path.name).read_bytes(), path


@pytest.mark.parametrize("a, b, same", [
    ("1.23456e-05", "1.23457e-05", True),    # a unit of the last digit
    ("1.23456e-05", "1.23458e-05", False),   # two
    ("0.00123456", "0.00123457", True),
    ("-0.250", "0.250", False),
    ("12.5", "12.7", False),
    ("600", "612", True),                    # iterations: a few more or less
    ("10", "12", False),
    ("1", "2", False),                       # case 1, case 2
    ("3.364262e-08", "3.364281e-08", True),  # rounding in a small difference of positions
    ("3.364262e-06", "3.364281e-06", False),
    ("2.1e-14", "8.8e-15", True),            # rounding
    ("2.1e-14", "8.8e-12", False),           # it has become worse
    ("0", "5.0e-15", True),
    ("0", "5.0e-13", False),
    ("2.1e-14", "1.1e-05", False),
    ("published", "corrected", False),
    ("-", "1.5", False),
    ("", "1.5", False),
])
def test_the_comparison_can_fail(a, b, same):
    assert agree(a, b) == same and agree(b, a) == same
    assert (differences([["x"], [a]], [["x"], [b]]) == []) == same


def test_a_missing_row_or_column_is_seen():
    assert differences([["x", "y"], ["1", "2"]], [["x", "y"]])
    assert differences([["x"], ["1"]], [["x", "y"], ["1", "2"]])
    assert differences([["x"], ["1"]], [["y"], ["1"]])
