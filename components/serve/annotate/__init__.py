"""The annotation tool."""
