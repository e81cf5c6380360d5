"""What can be wrong with a table. No message holds anything of any text."""


class FileError(ValueError):
    """Why a file cannot be read or written, and what to do."""


class RowError(ValueError):
    """Why a row cannot be processed."""
