"""Many messages at once: tables, runs over them, their reports, frames and the command line."""
