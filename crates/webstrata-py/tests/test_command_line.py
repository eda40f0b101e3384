"""The command line in the package."""

from __future__ import annotations

import subprocess
import sys

import webstrata
from conftest import RAIN


def run(*arguments: str, page: str = "") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "webstrata", *arguments], input=page.encode(), capture_output=True, check=False)


def test_version_and_help() -> None:
    assert run("--version").stdout.decode().split() == ["webstrata", webstrata.__version__]
    shown = run("extract", "--help")
    assert shown.returncode == 0
    assert b"--favor" not in shown.stdout and b"--precision" in shown.stdout


def test_exit_codes() -> None:
    done = run("extract", page=RAIN)
    assert (done.returncode, done.stdout.decode()) == (0, webstrata.extract(RAIN) + "\n")
    assert run("extract", page="").returncode in (1, 3)
    wrong = run("extract", "--precison")
    assert wrong.returncode == 2
    assert b"--precision" in wrong.stderr
