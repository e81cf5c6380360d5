"""Messages in frames: pandas, polars, pyarrow and Spark."""
