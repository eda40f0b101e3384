"""Duplicates among pages, and link graphs, in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Union

from webstrata import _webstrata

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Duplicate:
    """The verdict on a text."""

    number: int
    """Its number, from 0."""
    cluster: int
    """The number of the text of its cluster that is kept: the longest, or the first of several."""
    match: str | None
    """``exact`` or ``near``; ``None`` for the text that is kept."""

    @property
    def keep(self) -> bool:
        """Whether this is the text that is kept."""
        return self.number == self.cluster


def near_duplicates(texts: Iterable[str], *, preset: str = "fineweb") -> list[Duplicate]:
    """Finds exact and near duplicates among texts. For more texts than fit in memory, use :func:`webstrata.dedup`.

    >>> [d.keep for d in near_duplicates(["It rained all day.", "it rained - all day", "The sun came out at last."])]
    [False, True, True]

    Args:
        preset: ``fineweb`` (word 5-grams, 14 bands of 8 min-hashes) or ``paper`` (windows of 6 words, 4 of the 8 smallest hashes).
    """
    rows = _webstrata.near_duplicates(list(texts), preset)
    return [Duplicate(number, cluster, match) for number, (cluster, match) in enumerate(rows)]


@dataclass(frozen=True)
class Ranks:
    """PageRank: pages with the highest ranks first."""

    pages: list[tuple[str, float]]
    converged: bool
    """Whether the tolerance was reached."""

    def as_dict(self) -> dict[str, float]:
        """The rank of each page."""
        return dict(self.pages)


class Graph:
    """A graph of pages.

    >>> graph = Graph([("https://b.org/", "https://a.org/"), ("https://c.org/", "https://a.org/")])
    >>> graph.pagerank(top=1).pages[0][0]
    'https://a.org/'
    """

    def __init__(self, links: Iterable[tuple[str, str]]) -> None:
        self._graph = _webstrata.Graph.from_links(list(links))

    @classmethod
    def open(cls, path: Path) -> Graph:
        """Opens a graph file written by ``webstrata graph build``. It is memory-mapped, so it may be larger than memory."""
        graph = cls.__new__(cls)
        graph._graph = _webstrata.Graph.open(os.fspath(path))
        return graph

    @property
    def pages(self) -> int:
        """Number of pages."""
        return self._graph.pages

    @property
    def links(self) -> int:
        """Number of links. A link that occurs twice on a page counts once."""
        return self._graph.links

    @property
    def hosts(self) -> int:
        """Number of hosts."""
        return self._graph.hosts

    def pagerank(
        self,
        *,
        damping: float = 0.85,
        tolerance: float = 1e-9,
        max_iterations: int = 1000,
        threads: int = 0,
        preference: Mapping[str, float] | None = None,
        top: int | None = None,
    ) -> Ranks:
        """Computes PageRank.

        Args:
            damping: The share of a page's rank that follows its links.
            tolerance: The L1 residual at which to stop.
            preference: Weights of the pages that a surfer jumps to; by default, all pages are equally likely.
            top: Number of pages to return; all by default.
        """
        pairs = None if preference is None else list(preference.items())
        options = {
            "damping": damping,
            "tolerance": tolerance,
            "max_iterations": max_iterations,
            "threads": threads,
            "preference": pairs,
            "top": top,
        }
        pages, converged = self._graph.pagerank(options)
        return Ranks(pages, converged)

    def __repr__(self) -> str:
        return f"Graph({self.pages} pages, {self.links} links, {self.hosts} hosts)"
