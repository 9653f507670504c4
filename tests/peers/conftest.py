"""The stand-ins that make old packages run are modules of their own beside the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
