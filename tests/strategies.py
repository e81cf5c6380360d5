"""The names of conversations, each a key of its own, that tests go through."""

import os

# With SV_DEID_ALL_KEYS=1 more of them.
ALL_KEYS = bool(os.environ.get("SV_DEID_ALL_KEYS"))
KEYS = [f"scope {i}" for i in range(8 if ALL_KEYS else 2)]
