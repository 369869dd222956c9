"""Where the project's own files lie, for the tests of house rules."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"


def python_files(*folders: str) -> list[Path]:
    """The Python files below these folders of the project."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def tracked_files() -> list[Path]:
    """The files under version control; without git everything that is not hidden."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=30)
    if done.returncode == 0:
        return sorted(ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file())
    inside = (
        path for path in ROOT.rglob("*") if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    )
    return sorted(path for path in inside if path.is_file())


def shown(path: Path) -> str:
    """The path as people name it."""
    return path.relative_to(ROOT).as_posix()
