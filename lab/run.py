"""Run a module in the folder of the main project, whose code and files the laboratory uses.

python -B run.py lab.scripts.fuzz --help
"""

import os
import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

if __name__ == "__main__":
    os.chdir(ROOT)
    sys.path[0] = str(ROOT)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
