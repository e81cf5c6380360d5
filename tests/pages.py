"""Pages of HTML as the tests read them."""

from html.parser import HTMLParser

VOID = {"meta", "rect", "br", "img", "hr", "link", "input"}


class Page(HTMLParser):
    """What a page holds; fails on HTML that is not well formed.

    tags (list[tuple[str, dict[str, str]]]): All tags with their attributes.
    words (list[str]): What stands between them.
    tables (list[list]): Of each table its caption, and the cells by row.
    """

    def __init__(self, text):
        super().__init__()
        self.open, self.words, self.tags, self.tables = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def get(self, *names):
        """RETURNS (list[str]): The values of attributes, of all tags."""
        return [each[name] for _, each in self.tags for name in names if name in each]

    def get_table(self, caption):
        (rows,) = (table[1:] for table in self.tables if table[0].startswith(caption))
        return {first: rest for first, *rest in rows}

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.words.append(data.strip())
            if self.open[-1] in ("td", "th"):
                self.tables[-1][-1].append(data)
            elif self.open[-1] == "caption":
                self.tables[-1].append(data)
