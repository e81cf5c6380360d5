"""Experiments: what each of them runs, keeps and tells."""
