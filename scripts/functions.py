"""Register the project's components: for `--code` of spaCy's commands."""

import components  # noqa: F401
