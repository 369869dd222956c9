"""The harness is run from the root of the repository (`python -m bench`), so its tests look there too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
