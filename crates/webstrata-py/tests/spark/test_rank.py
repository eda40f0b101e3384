"""Ranks on Spark are those of one machine, whatever happens to executors."""

from __future__ import annotations

import math
import os
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("pyspark")

import webstrata
from webstrata import spark as ws
from webstrata.exceptions import OptionError

from .conftest import Killer, wait_for_executors


def one_machine(edges: Path, out: Path, **options: object) -> dict[str, float]:
    """Ranks of the command line."""
    webstrata.rank(edges, out, tolerance=1e-13, **options)
    lines = (line.split("\t") for line in out.read_text().splitlines() if not line.startswith("#"))
    return {page: float(rank) for page, rank in lines}


def distance(ranks, want: dict[str, float]) -> float:
    """The sum of the differences."""
    found = {str(row.page): row.rank for row in ranks.collect()}
    assert found.keys() == want.keys()
    assert math.isclose(sum(found.values()), 1.0, abs_tol=1e-9)
    return sum(abs(found[page] - rank) for page, rank in want.items())


@pytest.fixture(scope="session")
def generated(tmp_path_factory) -> Path:
    """A graph with the proportions of the thesis' LargeWeb: 93.81% of the links stay on their host."""
    path = tmp_path_factory.mktemp("graph") / "edges.tsv"
    random = Random(7)
    hosts = [int(random.paretovariate(1.2) * 40) + 1 for _ in range(300)]
    pages = [[f"https://www.h{host}.org/{number}" for number in range(size)] for host, size in enumerate(hosts)]
    with path.open("w") as out:
        for own in pages:
            for page in own:
                for _ in range(random.randrange(20) if random.random() < 0.9 else 0):
                    among = own if random.random() < 0.9381 else random.choice(pages)
                    # The first pages of a host have most of its links.
                    out.write(f"{page}\t{among[int(len(among) * random.random() ** 3)]}\n")
    return path


def edges_of(spark, path: Path, kind: str = "string", sep: str = "\t"):
    return spark.read.csv(str(path), sep=sep, schema=f"source {kind}, target {kind}")


def test_ranks_of_named_pages(spark, tmp_path) -> None:
    pages = [f"https://h{n // 24}.org/{n}" for n in range(400)]
    links = [(pages[n], pages[(n // 24 * 24 + n * k % 24) % 400]) for n in range(380) for k in range(n % 6)]
    links += [(pages[n], pages[n * n % 400]) for n in range(0, 400, 9)]
    links += [(pages[5], pages[5]), (pages[8], pages[5]), (pages[8], pages[5])]
    path = tmp_path / "edges.tsv"
    path.write_text("".join(f"{source}\t{target}\n" for source, target in links))
    for rule in ("jump", "keep", "drop"):
        want = one_machine(path, tmp_path / "ranks.tsv", self_links=rule)
        found = ws.pagerank(edges_of(spark, path), parts=3, self_links=rule, tolerance=1e-11)
        assert found.converged and found.parts == 3 and found.links == len(set(links))
        assert distance(found.ranks, want) < 1e-9


def test_pages_without_links(spark) -> None:
    edges = spark.createDataFrame([(1, 2), (7, None)], "source long, target long")
    ranks = {row.page: row.rank for row in ws.pagerank(edges, parts=2, tolerance=1e-13).ranks.collect()}
    # Pages 1 and 7 get only jumps, page 2 also the vote of page 1.
    assert ranks[1] == pytest.approx(ranks[7], abs=1e-12) and ranks[2] == pytest.approx(1.85 * ranks[1], abs=1e-12)


def test_ranks_of_a_generated_graph(spark, generated, tmp_path) -> None:
    found = ws.pagerank(edges_of(spark, generated), parts=4)
    assert found.converged and distance(found.ranks, one_machine(generated, tmp_path / "ranks.tsv")) < 1e-9
    assert found.votes < found.links_between < found.links * 0.07


def test_a_lost_executor_changes_nothing(spark, generated) -> None:
    wait_for_executors(spark)
    edges = edges_of(spark, generated).cache()
    whole = ws.pagerank(edges, parts=4, sweeps=2, tolerance=1e-4)
    reached = []
    with Killer(lambda: len(reached) >= 2) as killer:
        again = ws.pagerank(edges, parts=4, sweeps=2, tolerance=1e-4, on_round=lambda number, _: reached.append(number))
    assert killer.killed, "no executor was killed"
    # Exactly equal, not just close.
    assert again.residuals == whole.residuals and again.rounds > 4
    assert sorted(again.ranks.collect()) == sorted(whole.ranks.collect())


def test_cnr_2000(spark, tmp_path) -> None:
    edges = os.environ.get("WEBSTRATA_DATA") and Path(os.environ["WEBSTRATA_DATA"]) / "graphs/cnr-2000/edges.txt"
    if not edges or not edges.exists():
        pytest.skip("cnr-2000 is not there; set WEBSTRATA_DATA")
    want = one_machine(edges, tmp_path / "ranks.tsv")
    found = ws.pagerank(edges_of(spark, edges, "int", " "), tolerance=1e-11)
    assert found.converged and distance(found.ranks, want) < 1e-9


def test_wrong_arguments(spark) -> None:
    edges = spark.createDataFrame([(1, 2)], "source long, target long")
    with pytest.raises(OptionError, match="damping"):
        ws.pagerank(edges, damping=1.0)
    with pytest.raises(OptionError, match="sweep"):
        ws.pagerank(edges, sweeps=0)
