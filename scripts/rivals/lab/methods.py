"""The methods compared: tools with their pinned versions, and how each is called.

docs/rivals.md says how to add one.
"""

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = ROOT / "scripts" / "rivals"

# Parsers are also pinned, because answers depend on them. The list of a tool is complete; nothing else is
# installed.
LXML = ["lxml==6.1.3", "lxml_html_clean==0.4.6"]
JUSTEXT = ["jusText==3.0.2", *LXML]
HTMLDATE = ["htmldate==1.11.0", "dateparser==1.5.0", "python-dateutil==4.0.0", "pytz==2026.6", "regex==2026.11.9", "tzlocal==5.4.5"]
COURLAN = ["courlan==1.4.0", "babel==2.18.0", "tld==0.13.2"]
HTML2TEXT = "html2text==2025.4.15"


@dataclasses.dataclass(frozen=True)
class PythonTool:
    """A Python package with an adapter. The first package is the tool itself."""

    adapter: str
    packages: tuple
    # Further options of pip.
    options: tuple = ()

    @property
    def version(self):
        return self.packages[0].split("==")[1]


@dataclasses.dataclass(frozen=True)
class Crate:
    """A crate with a program of the same name in Cargo.toml, which pins its version."""

    crate: str
    program: str


TRAFILATURA = ("trafilatura==2.3.1", "certifi==2026.10.18", "charset-normalizer==3.5.2", "urllib3==2.8.0", *COURLAN, *HTMLDATE, *JUSTEXT)

TOOLS = {
    "trafilatura": PythonTool("trafilatura_text.py", TRAFILATURA),
    "resiliparse": PythonTool(
        "resiliparse_text.py",
        ("resiliparse==1.1.0", "fastwarc==1.1.0", "brotli==1.2.1", "click==8.5.1", "tqdm==4.70.1", "typing_extensions==4.16.0"),
    ),
    "readability-lxml": PythonTool(
        "readability_text.py", ("readability-lxml==0.9", "chardet==7.7.0", "cssselect==1.6.0", *LXML)
    ),
    "jusText": PythonTool("justext_text.py", tuple(JUSTEXT)),
    "boilerpy3": PythonTool("boilerpy3_text.py", ("boilerpy3==1.0.7",)),
    "dom_smoothie": Crate("dom_smoothie", "dom_smoothie"),
    "rs-trafilatura": Crate("rs-trafilatura", "rs_trafilatura"),
    "trafilatura (Markdown)": PythonTool("trafilatura_markdown.py", TRAFILATURA),
    # Its metadata requires a newer Python than the code needs.
    "magic-html": PythonTool(
        "magic_html_markdown.py",
        (
            *("magic-html==0.1.8", "brotli==1.2.1", "chardet==7.7.0", "charset-normalizer==3.5.2", "docopt==0.6.2", HTML2TEXT),
            *("lark-parser==0.12.0", "numpy==2.4.6", "py-asciimath==0.3.0", "urllib3==2.8.0", *LXML),
        ),
        ("--ignore-requires-python",),
    ),
    "html2text": PythonTool("html2text_markdown.py", (HTML2TEXT,)),
    "markdownify": PythonTool(
        "markdownify_markdown.py",
        ("markdownify==1.2.3", "beautifulsoup4==4.15.0", "six==1.17.0", "soupsieve==4.1", "typing_extensions==4.16.0"),
    ),
    "html-to-markdown": PythonTool("html_to_markdown_markdown.py", ("html-to-markdown==3.19.0",)),
}

# Name in tables, tool, options of its adapter.
RIVALS = [
    ("resiliparse", "resiliparse", []),
    ("trafilatura", "trafilatura", []),
    ("trafilatura-precision", "trafilatura", ["--precision"]),
    ("trafilatura-recall", "trafilatura", ["--recall"]),
    ("readability-lxml", "readability-lxml", []),
    ("jusText", "jusText", []),
    ("boilerpy3-article", "boilerpy3", []),
    ("boilerpy3-default", "boilerpy3", ["--default"]),
    ("dom_smoothie", "dom_smoothie", []),
    ("rs-trafilatura", "rs-trafilatura", []),
]

# The same for Markdown (scripts/bench-fidelity). The last three convert whole pages.
MARKDOWN_RIVALS = [
    ("trafilatura", "trafilatura (Markdown)", []),
    ("rs-trafilatura", "rs-trafilatura", ["--markdown"]),
    ("magic-html", "magic-html", []),
    ("html2text", "html2text", []),
    ("markdownify", "markdownify", []),
    ("html-to-markdown", "html-to-markdown", []),
]

# Speeds are compared with the fastest rival we know.
YARDSTICK = "resiliparse"

# Our presets; the first one that exists is the recommended one, which must be ahead.
PRESETS = ["strata", "article", "boilerpipe-default", "largest-content", "keep-everything"]


@dataclasses.dataclass(frozen=True)
class Method:
    """One row of the tables: one of our presets, or a rival."""

    name: str
    command: tuple
    ours: bool
    # Whether its adapter is in this folder, and so supports languages and batches.
    known: bool = True
