"""The command line of the wheel in a checkout, with the pipeline that was trained or assembled last:
`python -m scripts.command_line explain` is `sv-deid-chat explain`.
"""

from pathlib import Path

import spacy

from components.cli.app import main
from training_tools.errors import clean_errors, demand_pipeline

PIPELINE = Path("training/small/model-tuned")

if __name__ == "__main__":
    with clean_errors():
        demand_pipeline(PIPELINE)
    main(lambda: spacy.load(PIPELINE))
