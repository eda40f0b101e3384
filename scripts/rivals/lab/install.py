"""Installs rivals in their own environment under target/, and builds our programs. Missing rivals are reported and skipped."""

import json
import os
import subprocess
import sys

from .methods import HERE, PRESETS, RIVALS, ROOT, TOOLS, Method, PythonTool

# For rivals; ours are in cargo's target folder.
ENVIRONMENT = ROOT / "target" / "rivals"
# Separate from the environments of scripts/bench-stages and scripts/bench-metadata, which pin other versions.
VENV = ENVIRONMENT / "text"
CRATES = ENVIRONMENT / "cargo"
# Built as published binaries are.
OURS = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "dist"


class Missing(Exception):
    """The reason why a tool cannot be used."""


def call(command, **options):
    return subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, **options)


def last_line(text):
    return (text.strip().splitlines() or ["no message"])[-1]


def output(*command):
    return call(command, check=True).stdout.strip()


def python():
    """The Python of the rivals."""
    path = VENV / "bin" / "python"
    if not path.exists():
        made = call([sys.executable, "-m", "venv", VENV])
        if made.returncode != 0:
            why = last_line(made.stderr or made.stdout)
            raise Missing(f"cannot create a virtual environment ({why}); install Python's venv module")
    return path


def install_package(tool):
    """Installs a Python tool if needed; returns the start of the command that runs its adapter."""
    command = [python(), "-B", HERE / tool.adapter]

    def installed():
        asked = call([*command, "--version"])
        return asked.stdout.strip() == tool.version, asked.stderr

    # All packages of a tool are pinned, so nothing needs resolving; pip could not even resolve the list of readability-lxml.
    if not pinned(tool.packages):
        ran = call([python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *tool.options, *tool.packages])
        if ran.returncode != 0:
            raise Missing(f"{tool.packages[0]} cannot be installed ({last_line(ran.stderr)}); the first run needs the network")
    ready, problem = installed()
    if not ready:
        raise Missing(f"{tool.packages[0]} is installed but does not run ({last_line(problem)}); remove {VENV} and try again")
    return tuple(map(str, command))


def pinned(packages):
    """Whether all packages are installed in the pinned versions."""
    check = (
        "import sys; from importlib.metadata import version\n"
        "sys.exit(any(version(name) != wanted for name, wanted in (p.split('==') for p in sys.argv[1:])))"
    )
    return call([python(), "-c", check, *packages]).returncode == 0


def install_crate(tool):
    """Builds a Rust tool; returns the command that runs it."""
    command = ["cargo", "build", "--release", "--locked", "--manifest-path", HERE / "Cargo.toml", "--target-dir", CRATES]
    command += ["--features", tool.program, "--bin", tool.program]
    built = call(command)
    # Crates that were fetched before are built without the network.
    if built.returncode != 0 and call([*command, "--offline"]).returncode != 0:
        errors = [line for line in built.stderr.splitlines() if line.startswith("error")]
        why = errors[0] if errors else last_line(built.stderr)
        raise Missing(f"{tool.crate} cannot be built ({why}); the first run needs the network")
    return (str(CRATES / "release" / tool.program),)


def crate_version(crate):
    """The pinned version."""
    packages = (HERE / "Cargo.lock").read_text(encoding="utf-8").split("[[package]]")
    lines = next(package.splitlines() for package in packages if f'\nname = "{crate}"\n' in package)
    return next(line.split('"')[1] for line in lines if line.startswith("version = "))


def install(names, say, rivals=RIVALS):
    """The named rivals of a list as methods, versions of their tools, and missing ones: name and reason."""
    methods, versions, missing, tools = [], {}, [], {}
    for name, tool_name, options in rivals:
        if name not in names:
            continue
        tool = TOOLS[tool_name]
        if tool_name not in tools:
            say(f"preparing {tool_name}")
            try:
                is_package = isinstance(tool, PythonTool)
                tools[tool_name] = install_package(tool) if is_package else install_crate(tool)
                versions[tool_name] = tool.version if is_package else crate_version(tool.crate)
            except (Missing, OSError) as problem:
                tools[tool_name] = problem
        if isinstance(tools[tool_name], Exception):
            missing.append((name, str(tools[tool_name])))
        else:
            methods.append(Method(name, (*tools[tool_name], *options), ours=False))
    return methods, versions, missing


def build_ours():
    """Builds our command line, the lab, which scores, and the program that is timed."""
    for what in (["-p", "webstrata-cli", "-p", "webstrata-lab"], ["-p", "webstrata", "--example", "answers"]):
        try:
            built = subprocess.run(["cargo", "build", "--profile", "dist", "--locked", "--quiet", *what], cwd=ROOT, stdout=sys.stderr)
        except FileNotFoundError:
            raise Missing("cargo is not on the PATH; install the Rust toolchain with rustup, then open a new shell") from None
        if built.returncode != 0:
            raise Missing("cannot build webstrata; see the errors above")
    return OURS / "webstrata", OURS / "webstrata-lab", OURS / "examples" / "answers"


def presets(webstrata, answers, wanted):
    """Our presets as methods: the named ones, which must exist, or the main ones that exist."""
    found = []
    for name in wanted or PRESETS:
        # 3 means that the preset found no content on this page; an unknown preset is 2.
        known = call([webstrata, "extract", "--preset", name, "-"], input="<p>x").returncode in (0, 3)
        if known:
            found.append(Method(name, (str(answers), name), ours=True))
        elif wanted:
            raise Missing(f"unknown preset {name}; `webstrata extract --preset ?` lists them")
    return found


def versions_of_ours():
    package = json.loads(output("cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"))["packages"]
    version = next(p["version"] for p in package if p["name"] == "webstrata")
    return {"webstrata": version, "rustc": output("rustc", "--version").split(" (")[0].removeprefix("rustc ")}
