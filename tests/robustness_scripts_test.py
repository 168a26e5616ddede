"""The scripts that spoil inputs and end runs at random, for a few seconds each. Longer: scripts/fuzz --minutes 30, scripts/faults."""

import os
import subprocess
import sys

import pytest

from command import POLHODE, ROOT


@pytest.mark.parametrize("words", [("faults", "--kills", "12"), ("fuzz", "--minutes", "0.1")])
def test_nothing_is_found_in_a_few_seconds(words):
    done = subprocess.run([sys.executable, ROOT / "scripts" / words[0], *words[1:], "--build", POLHODE.parent], capture_output=True, text=True,
                          timeout=300, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0 and "0 faults" in done.stdout, done.stdout + done.stderr
