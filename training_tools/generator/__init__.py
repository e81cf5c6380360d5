"""The made corpus: skeletons filled with people, places, dates, numbers and noise."""
