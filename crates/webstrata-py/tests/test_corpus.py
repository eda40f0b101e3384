"""Duplicates, graphs, and the commands over files."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import webstrata
from conftest import RAIN, ROOT, warc


def test_duplicates() -> None:
    texts = ["It rained all day.", "it rained - all day", "The sun came out at last.", "It rained all day.", ""]
    rows = webstrata.near_duplicates(texts)
    assert [(row.cluster, row.match, row.keep) for row in rows] == [
        (1, "near", False),
        (1, None, True),
        (2, None, True),
        (1, "near", False),
        (4, None, True),
    ]
    assert webstrata.near_duplicates([]) == []
    with pytest.raises(webstrata.OptionError, match="use fineweb or paper"):
        webstrata.near_duplicates(texts, preset="simhash")


def test_ranks_are_those_of_the_power_method() -> None:
    numbers = random.Random(7)
    pages = [f"https://h{n % 5}.org/{n}" for n in range(40)]
    links = sorted({(numbers.choice(pages), numbers.choice(pages)) for _ in range(160)})
    links = [(one, other) for one, other in links if one != other]
    graph = webstrata.Graph(links)
    named = sorted({page for link in links for page in link})
    assert (graph.pages, graph.links) == (len(named), len(links))
    out = {page: [to for one, to in links if one == page] for page in named}
    ranks = dict.fromkeys(named, 1 / len(named))
    for _ in range(300):
        lost = sum(ranks[page] for page in named if not out[page])
        new = dict.fromkeys(named, (0.15 + 0.85 * lost) / len(named))
        for page in named:
            for to in out[page]:
                new[to] += 0.85 * ranks[page] / len(out[page])
        ranks = new
    found = graph.pagerank(tolerance=1e-13)
    assert found.converged
    assert found.as_dict() == pytest.approx(ranks, abs=1e-10)
    assert [rank for _, rank in found.pages] == sorted(found.as_dict().values(), reverse=True)
    assert len(graph.pagerank(top=3).pages) == 3
    assert graph.pagerank(preference={pages[0]: 1.0}).pages != found.pages


def test_wrong_ranks_raise() -> None:
    graph = webstrata.Graph([("https://a.org/", "https://b.org/")])
    with pytest.raises(webstrata.OptionError, match="there is no page https://c.org/"):
        graph.pagerank(preference={"https://c.org/": 1.0})
    with pytest.raises(webstrata.OptionError):
        graph.pagerank(damping=2.0)
    with pytest.raises(webstrata.InputError):
        webstrata.Graph.open("nowhere.graph")


def test_commands(tmp_path: Path) -> None:
    pages = [(f"https://example.org/{n}", RAIN.replace("three days", f"{n + 3} days")) for n in range(4)]
    crawl = warc(tmp_path / "crawl.warc", pages)
    webstrata.run(crawl, tmp_path / "run", format="jsonl")
    assert list((tmp_path / "run").rglob("*.jsonl*"))
    webstrata.dedup(crawl, tmp_path / "clusters.jsonl", preset="fineweb")
    rows = [json.loads(line) for line in (tmp_path / "clusters.jsonl").read_text().splitlines()]
    assert len(rows) == 4
    webstrata.build_graph(tmp_path / "run", tmp_path / "web.graph")
    assert webstrata.Graph.open(tmp_path / "web.graph").pages >= 4
    webstrata.rank(tmp_path / "web.graph", tmp_path / "ranks.tsv", top=2)
    assert len((tmp_path / "ranks.tsv").read_text().splitlines()) == 2


def test_sites_and_their_methods(tmp_path: Path) -> None:
    folder = ROOT / "testdata" / "site"
    webstrata.sites(folder, tmp_path / "sites", name="example.org")
    assert (tmp_path / "sites" / "sites.jsonl").exists()


def test_failures_have_the_text_of_the_command_line(tmp_path: Path) -> None:
    with pytest.raises(webstrata.CommandError) as error:
        webstrata.run(tmp_path / "nowhere.warc", tmp_path / "out")
    assert "nowhere.warc" in str(error.value)
    assert error.value.code == 2
    with pytest.raises(webstrata.CommandError, match="--colour"):
        webstrata.command("extract", colour="red")
