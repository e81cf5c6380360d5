"""Prepares pages for the site."""

from typing import Any


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """Take out the link to project.yml in the page that `spacy project document` writes: the file is
    not on the site.

    markdown (str): The text of a page.
    RETURNS (str): The text without the link.
    """
    return markdown.replace("[`project.yml`](project.yml)", "`project.yml`")
