"""Commands over files and folders. Each runs the command line in its own process, which a signal ends cleanly."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Union

from webstrata.exceptions import CommandError

Path = Union[str, "os.PathLike[str]"]


def _arguments(options: dict[str, Any]) -> list[str]:
    """Options as on the command line: ``by_design=True`` is ``--by-design``, ``alpha=5`` is ``--alpha 5``; a list repeats the option."""
    arguments = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            arguments.append(flag)
        elif value is None or value is False:
            continue
        else:
            values = value if isinstance(value, (list, tuple)) else [value]
            arguments += [f"{flag}={os.fspath(one) if isinstance(one, os.PathLike) else one}" for one in values]
    return arguments


def command(*words: Path, **options: Any) -> str:
    """Runs a command of the command line and returns its output; docs/cli.md lists the commands and their options.

    >>> command("--version").split()[0]
    'webstrata'

    Raises:
        CommandError: if the command or some pages fail, or an option is unknown; with the message of the command line.
    """
    arguments = [sys.executable, "-m", "webstrata", *[os.fspath(word) for word in words], *_arguments(options)]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise CommandError(done.stderr.decode("utf-8", "replace").strip(), done.returncode)
    return done.stdout.decode("utf-8", "replace")


def _paths(paths: Path | Sequence[Path]) -> list[Path]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def run(paths: Path | Sequence[Path], out: Path, **options: Any) -> None:
    """Turns a crawl into tables (pages, segments, links) in the folder ``out``; resumable. See ``webstrata run``."""
    command("run", *_paths(paths), out=out, **options)


def sites(paths: Path | Sequence[Path], out: Path, **options: Any) -> None:
    """Learns the templates of each site from its pages, into the folder ``out``. See ``webstrata site``."""
    command("site", *_paths(paths), out=out, **options)


def dedup(paths: Path | Sequence[Path], out: Path, **options: Any) -> None:
    """Finds duplicates among pages or texts, and writes one row per page to the file ``out``; resumable. See ``webstrata dedup``."""
    command("dedup", *_paths(paths), out=out, **options)


def build_graph(path: Path, out: Path, **options: Any) -> None:
    """Builds the link graph of an edge list or of the folder of a run in the file ``out``. See ``webstrata graph build``."""
    command("graph", "build", path, out=out, **options)


def rank(path: Path, out: Path, **options: Any) -> None:
    """Computes PageRank for a graph, an edge list or a run, and writes it to the file ``out``. See ``webstrata rank pagerank``."""
    command("rank", "pagerank", path, out=out, **options)
