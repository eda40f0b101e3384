"""Gold from Debian's documentation packages: some pages of every generator, chosen by a seed."""

import hashlib
import io
import json
import lzma
import pathlib
import random
import re
import subprocess
import tarfile
import tempfile
import warnings

from . import elements
from .generators import GENERATORS, PACKAGES

PAGES = 9
# Number of pages with formulas, if the generator has any, and the minimum number of formulas on such a page.
WITH_FORMULAS, FORMULAS = 5, 3
SMALLEST, LARGEST = 2_500, 200_000
SEED = "fidelity-1"


class Missing(Exception):
    """The reason why a package is not available."""


def fetch(package, cache):
    """The package's file, from the cache or by apt-get; its checksum is checked."""
    version, wanted = PACKAGES[package]
    file = cache / f"{package}.deb"
    if not file.exists():
        download(package, version, file)
    if hashlib.sha256(file.read_bytes()).hexdigest() != wanted:
        file.unlink()
        raise Missing(f"{package} does not have the pinned checksum")
    return file


def download(package, version, file):
    """Has apt-get write this version of a package to the file. Nothing is installed."""
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        try:
            # apt-get's download user may not enter our folder, so download as root.
            command = ["apt-get", "download", "--quiet=2", "--option=APT::Sandbox::User=root", f"{package}={version}"]
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        except FileNotFoundError:
            raise Missing("apt-get is not on the PATH; build the set on Debian 12") from None
        found = list(pathlib.Path(folder).glob("*.deb"))
        if ran.returncode != 0 or len(found) != 1:
            why = (ran.stderr.strip().splitlines() or ["no message"])[-1]
            remedy = "run `apt-get update`; if a newer version has replaced it, add a source of apt that keeps old ones"
            raise Missing(f"apt-get has no {package} {version} ({why}); {remedy}")
        found[0].replace(file)


def files_of(file):
    """Names and contents of the regular files of a package: an `ar` archive with a tar archive in it."""
    data = file.read_bytes()
    at = 8
    while at < len(data):
        member, size = data[at : at + 16].decode().strip().rstrip("/"), int(data[at + 48 : at + 58])
        body = data[at + 60 : at + 60 + size]
        if member.startswith("data.tar"):
            packed = lzma.decompress(body) if member.endswith(".xz") else body
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                for entry in archive:
                    if entry.isfile():
                        yield entry.name, lambda entry=entry: archive.extractfile(entry).read()
            return
        at += 60 + size + size % 2
    raise Missing(f"{file.name} has no data")


def pages_of(generator, file):
    """Pages that may be chosen: name and bytes, in an order given by the seed."""
    fits = re.compile(generator.files)
    found = []
    for name, read in files_of(file):
        if fits.search(name):
            data = read()
            if SMALLEST <= len(data) <= LARGEST:
                found.append((name, data))
    found.sort()
    random.Random(f"{SEED} {generator.name}").shuffle(found)
    return found


def gold_of(generator, data):
    """The structure of a page, or None if it has too little."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that XML does not allow
        root = elements.parse(data)
    formulas = elements.Formulas()
    elements.clean(root, generator.drop, formulas, generator.raw)
    areas = outermost(elements.select(root, generator.area))
    if not areas:
        return None
    parts = [elements.structure(area, formulas, generator.optional) for area in areas]
    gold = {key: [element for part in parts for element in part[key]] for key in parts[0]}
    words = sum(len(elements.text_of(area).split()) for area in areas)
    kinds = [gold["code"], gold["math"], gold["tables"], len(gold["headings"]) > 1, len(gold["items"]) > 2]
    return gold if sum(map(bool, kinds)) >= 2 and words >= 80 else None


def outermost(areas):
    """Drops areas that are inside another one."""
    return [area for area in areas if not any(above in areas for above in area.iterancestors())]


def choose(generator, file):
    """The pages of a generator with their gold: those with formulas first, then any."""
    chosen, others = [], []
    looked = 0
    for name, data in pages_of(generator, file):
        if len(chosen) >= WITH_FORMULAS and len(chosen) + len(others) >= PAGES or looked >= 120 and len(others) + len(chosen) >= PAGES:
            break
        # A cheap check, to avoid parsing every page of a package without formulas.
        formula = b"math" in data or b"\\(" in data or b"formula" in data
        if not formula and len(others) >= PAGES and looked < 120:
            looked += 1
            continue
        looked += 1
        gold = gold_of(generator, data)
        if gold is None:
            continue
        (chosen if len(gold["math"]) >= FORMULAS and len(chosen) < WITH_FORMULAS else others).append((name, data, gold))
    return sorted((chosen + others)[:PAGES], key=lambda page: page[0])


def build(out, cache, say):
    """Writes the set; returns the generators that are missing, each with the reason."""
    missing, lines = [], []
    cache.mkdir(parents=True, exist_ok=True)
    (out / "html").mkdir(parents=True, exist_ok=True)
    for old in (out / "html").iterdir():
        old.unlink()
    for generator in GENERATORS:
        try:
            pages = choose(generator, fetch(generator.package, cache))
        except (Missing, OSError) as problem:
            missing.append((generator.name, str(problem)))
            continue
        for number, (name, data, gold) in enumerate(pages, 1):
            page = f"{generator.name}-{number}"
            (out / "html" / f"{page}.html").write_bytes(data)
            about = {"id": page, "source": f"{generator.package} {name.removeprefix('./')}", "page_type": generator.name}
            lines.append({**about, "site": generator.name, "split": generator.split, **gold})
        say(f"{generator.name}: {len(pages)} pages, " + ", ".join(f"{sum(len(g[k]) for _, _, g in pages)} {k}" for k in ("code", "math", "tables", "headings", "items")))
    (out / "gold.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return missing
