"""The language of the pipelines: any message through any number of processes, with failures masked."""
