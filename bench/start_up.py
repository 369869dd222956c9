"""How long `import dure` and `dure --help` take beyond a bare interpreter: medians of runs in turns."""

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

ROUNDS = 10
BARE = "bare interpreter"
COMMANDS: dict[str, tuple[str, ...]] = {
    BARE: ("-c", "pass"),
    "import dure": ("-c", "import dure"),
    "dure --help": ("-c", "import sys; from dure.console.main import main; sys.exit(main(['--help']))"),
}
LIMITS = {"import dure": 0.15, "dure --help": 0.40}


def seconds(arguments: Sequence[str]) -> float:
    """Wall-clock time of one interpreter."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, timeout=60)
    return time.perf_counter() - begun


def main() -> int:
    """Print the table; 1 if something takes longer than it may."""
    for arguments in COMMANDS.values():  # once unmeasured: compiles and warms the disk cache
        seconds(arguments)
    measured: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            measured[name].append(seconds(arguments))
    medians = {name: statistics.median(times) for name, times in measured.items()}
    bare = medians[BARE]
    print(f"{BARE:<18} {bare:6.3f} s")
    over = 0
    for name, limit in LIMITS.items():
        beyond = medians[name] - bare
        over += beyond > limit
        print(f"{name:<18} {beyond:+6.3f} s  (limit {limit:.2f}){'  OVER' if beyond > limit else ''}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
