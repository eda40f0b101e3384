"""Examples in the documentation run; types check; the notebook runs."""

from __future__ import annotations

import doctest
import gzip
import importlib
import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import webstrata
from conftest import RAIN, ROOT, needs, warc


def examples(document: Path, section: str | None = None) -> str:
    """The Python code of a document or of one of its sections; later blocks use what earlier ones define."""
    text = document.read_text(encoding="utf-8")
    if section is not None:
        text = text.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


def run(program: str, folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_readme() -> None:
    program = examples(ROOT / "README.md", "Python")
    assert program.count("webstrata.") >= 3
    run(program, ROOT)


@needs("duckdb", "pandas", "polars", "pyarrow")
def test_guide(tmp_path: Path) -> None:
    shutil.copy(ROOT / "testdata" / "pages" / "news-html5" / "page.html", tmp_path / "page.html")
    pages = [(f"https://example.org/{n}", RAIN.replace("three", str(n))) for n in range(3)]
    crawl = warc(tmp_path / "crawl.warc", pages)
    (tmp_path / "crawl.warc.gz").write_bytes(gzip.compress(crawl.read_bytes()))
    run(examples(ROOT / "docs" / "python.md"), tmp_path)


def test_every_option_is_in_the_guide() -> None:
    guide = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    table = guide.split("### Every option of trafilatura")[1]
    from webstrata.compat import trafilatura

    for name in inspect.signature(trafilatura.extract).parameters:
        assert f"`{name}`" in table, name


def modules() -> list[str]:
    found = pkgutil.walk_packages(webstrata.__path__, "webstrata.")
    return [module.name for module in found if "integrations." not in module.name and "spark" not in module.name]


@pytest.mark.parametrize("name", ["webstrata", *modules()])
def test_examples_in_the_code(name: str) -> None:
    if name == "webstrata.__main__":
        return
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_every_public_name_is_documented() -> None:
    for name in webstrata.__all__:
        value = getattr(webstrata, name)
        assert isinstance(value, str) or inspect.getdoc(value), name


@needs("mypy")
def test_types() -> None:
    package = Path(__file__).parents[1] / "python" / "webstrata"  # mypy does not check files of site-packages
    arguments = ["--strict", "--python-version", "3.10", "--ignore-missing-imports", "--follow-imports", "silent"]
    exclude = ["--exclude", "integrations|spark"]
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments, *exclude, str(package)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@needs("nbclient", "ipykernel", "matplotlib", "pandas")
def test_the_notebook_runs() -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "crates" / "webstrata-py" / "examples" / "warc_to_plot.ipynb", as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert "image/png" in kinds, "the plot"
    shown = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert any("Rain in Orrin" in html and "content, " in html for html in shown), "the page"
