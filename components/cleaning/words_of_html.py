"""The words of HTML. Only what stands here is taken for markup: all else is text, and is read."""


def _read(words: str) -> frozenset[str]:
    return frozenset(words.split())


# fmt: off
# What parts lines.
BLOCKS = _read("""
address article aside audio base blockquote body br button canvas caption center col colgroup dd details
div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe
input legend li link main meta nav noscript object ol optgroup option p param pre script section select source
style summary svg table tbody textarea tfoot thead title tr ul video
""")
# What parts the cells of a line.
CELLS = _read("td th")
# What may stand within a word. Office writes those with a colon.
INLINES = _read("""
a abbr acronym b bdi bdo big cite code del em font i img ins kbd label nobr o:p q s samp small span strike
strong sub sup tt u wbr st1:city st1:country-region st1:date st1:givenname st1:personname st1:place st1:sn
""")
TAGS = BLOCKS | CELLS | INLINES
# Attributes whose values are about looks: those that hold nothing else than the words below are
# taken out with them.
LOOKS = _read("""
align bgcolor border cellpadding cellspacing class color cols colspan dir face height lang rel rows rowspan
size style target type valign width
""")
ATTRIBUTES = LOOKS | _read("""
accept accept-charset accesskey action alt autocomplete charset checked cite clear content contenteditable
coords data datetime disabled download enctype for frameborder headers hidden href hreflang http-equiv id
label loading maxlength media method multiple name noshade nowrap onclick onerror onload onmouseover
placeholder poster readonly required role scope selected shape span spellcheck src srcset start summary
tabindex title usemap value xml:lang xmlns xmlns:m xmlns:o xmlns:v xmlns:w
""")
PLAIN_WORDS = _read("""
align alt arial background black blank blue bold border bottom break calibri cambria center clear collapse color
cursive courier decoration default display en fareast family fixed font georgia gray green grey helvetica height
hidden important indent inherit initial italic justify left line list ltr margin max middle min monospace new
nofollow none noopener noreferrer normal nowrap padding pointer position pre quot red relative rgb rgba right roman rtl
sans se segoe serif size solid space spacing style sv tahoma text times top transparent ui underline us vertical
verdana weight white width word wrap yellow
""")
# fmt: on
