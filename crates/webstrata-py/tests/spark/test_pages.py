"""Tables on Spark are those of ``webstrata run`` over the same files, whatever happens to executors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

import webstrata
from webstrata import spark as ws
from webstrata.exceptions import CommandError, InputError, OptionError

from .conftest import Killer, wait_for_executors


@pytest.fixture(scope="session")
def run(crawl, tmp_path_factory) -> Path:
    """The same archives on one machine. Some records are broken on purpose, which the exit code of the command line reports."""
    out = tmp_path_factory.mktemp("run") / "out"
    with pytest.raises(CommandError, match="damaged"):
        webstrata.run(crawl, out)
    return out


def same(ours, theirs) -> None:
    """Whether two data frames have the same columns and rows, with multiplicities."""
    assert [(f.name, f.dataType.simpleString()) for f in ours.schema] == [(f.name, f.dataType.simpleString()) for f in theirs.schema]
    ours, theirs = ours.cache(), theirs.cache()
    assert ours.count() == theirs.count() > 0
    assert ours.exceptAll(theirs).count() == 0
    assert theirs.exceptAll(ours).count() == 0
    ours.unpersist()
    theirs.unpersist()


def test_tables_are_those_of_a_run(spark, crawl, run) -> None:
    pages = ws.warc(spark, crawl)
    assert pages.rdd.getNumPartitions() == len(crawl)
    same(ws.extract(pages), spark.read.parquet(str(run / "pages")))
    same(ws.links(pages), spark.read.parquet(str(run / "links")))
    same(ws.segments(pages), spark.read.parquet(str(run / "segments")))


def test_failures_are_rows(spark, crawl, run) -> None:
    documents = ws.warc(spark, crawl)
    broken = documents.where("problem is not null").collect()
    assert [(row.html, row.reason) for row in broken] == [(None, "damaged")]
    ours = sorted((row.reason, row.file, row.offset, row.url, row.message) for row in ws.errors(documents).collect())
    lines = [json.loads(line) for file in (run / "errors").iterdir() for line in file.read_text().splitlines()]
    assert ours == sorted((line["reason"], line["file"], line["offset"], line["url"], line["message"]) for line in lines)
    assert {"damaged", "not-html", "empty"} == {row[0] for row in ours}


def test_a_lost_executor_loses_and_doubles_nothing(spark, crawl, run) -> None:
    wait_for_executors(spark)
    tracker = spark.sparkContext.statusTracker()

    def in_the_middle() -> bool:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        return any(stage and stage.numCompletedTasks >= 4 and stage.numActiveTasks for stage in stages)

    # Every file four times, so that there are tasks before and after the loss; ids reveal lost and duplicate rows.
    many = ws.warc(spark, [path for path in crawl for _ in range(4)])
    with Killer(in_the_middle) as killer:
        rows = ws.extract(many).select("id", "hash", "text").collect()
    assert killer.killed, "no executor was killed"
    want = spark.read.parquet(str(run / "pages")).select("id", "hash", "text").collect()
    assert sorted(rows) == sorted(want * 4)


def test_pages_of_any_data_frame(spark) -> None:
    rows = [("a", "<title>Rain</title><p>It rains in the valley."), ("b", "<p>It does not.<a href='https://x.org/'>x</a>"), ("c", None)]
    pages = spark.createDataFrame(rows, "id string, html string")
    found = {row.id: row.text for row in ws.extract(pages, preset="keep-everything").collect()}
    assert found["a"].endswith("It rains in the valley.") and set(found) == {"a", "b"}
    assert [(row.page, row.source, row.target) for row in ws.links(pages).collect()] == [("b", "b", "https://x.org/")]
    assert [(row.file, row.reason) for row in ws.errors(pages).collect()] == [("c", "unreadable")]


def test_wrong_arguments(spark) -> None:
    pages = spark.createDataFrame([("<p>x",)], "html string")
    with pytest.raises(OptionError, match="unknown field `colour`"):
        ws.extract(pages, colour="red")
    with pytest.raises(OptionError, match="none"):
        ws.extract(pages, preset="none")
    with pytest.raises(InputError, match="html"):
        ws.extract(spark.range(1))


def test_near_duplicates_are_those_of_one_machine(spark, run, tmp_path) -> None:
    pages = spark.read.parquet(str(run / "pages"))
    for preset, keep in [("fineweb", "longest"), ("paper", "longest"), ("fineweb", "earliest"), ("paper", "confidence")]:
        out = tmp_path / f"{preset}-{keep}.jsonl"
        webstrata.dedup(run, out, preset=preset, keep=keep)
        want = [json.loads(line) for line in out.read_text().splitlines()]
        found = ws.near_duplicates(pages, preset=preset, keep=keep).collect()
        ours = [{"id": row.id, "cluster": row.cluster, "keep": row.keep, "size": row.size, "match": row.match} for row in found]
        assert sorted(ours, key=lambda row: row["id"]) == sorted(want, key=lambda row: row["id"])
        assert {row["match"] for row in ours} == {None, "exact", "near"}


def test_sites_are_those_of_one_machine(spark, crawl, run, tmp_path) -> None:
    out = tmp_path / "sites"
    with pytest.raises(CommandError):
        webstrata.sites(crawl, out)
    documents = ws.warc(spark, crawl)
    evidence = ws.site_evidence(documents).cache()
    reports = {path.stem: json.loads(path.read_text()) for path in (out / "sites").rglob("*.json")}
    assert {row.site: json.loads(row.report) for row in evidence.collect()} == reports
    ws.write_evidence(evidence, tmp_path / "evidence")
    assert (tmp_path / "evidence").read_bytes() == (out / "evidence").read_bytes()
    assert {row.site: row.pages for row in ws.sites(documents).collect()} == {site: report["pages"] for site, report in reports.items()}
    with_evidence = tmp_path / "run"
    with pytest.raises(CommandError):
        webstrata.run(crawl, with_evidence, site_evidence=out / "evidence", tables="pages")
    same(ws.extract(documents, site_evidence=tmp_path / "evidence"), spark.read.parquet(str(with_evidence / "pages")))
