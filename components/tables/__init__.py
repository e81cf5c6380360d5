"""Tables of messages: files of rows, whatever their format, read and written row by row."""
