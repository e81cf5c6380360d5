"""The words of HTML. Everything else in a tag is text, and is read."""


def _read(words: str) -> frozenset[str]:
    return frozenset(words.split())


# fmt: off
# Tags that separate lines.
BLOCKS = _read("""
address article aside audio base blockquote body br button canvas caption center col colgroup dd
details div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head
header hr html iframe input legend li link main meta nav noscript object ol optgroup option p param
pre script section select source style summary svg table tbody textarea tfoot thead title tr ul
video
""")
# Tags that separate the cells of a line.
CELLS = _read("td th")
# Tags that may stand within a word. Those with a colon are from Office.
INLINES = _read("""
a abbr acronym b bdi bdo big cite code del em font i img ins kbd label nobr o:p q s samp small span
st1:city st1:country-region st1:date st1:givenname st1:personname st1:place st1:sn strike strong sub
sup tt u wbr
""")
TAGS = BLOCKS | CELLS | INLINES
# Attributes of looks. Their values are removed, too, if they have only PLAIN_WORDS.
LOOKS = _read("""
align alink bgcolor border cellpadding cellspacing class color cols colspan dir face height
http-equiv lang link rel rows rowspan size style target type valign vlink width
""")
ATTRIBUTES = LOOKS | _read("""
accept accept-charset accesskey action alt autocomplete charset checked cite clear content
contenteditable coords data datetime disabled download enctype for frameborder headers hidden href
hreflang id label loading maxlength media method multiple name noshade nowrap onclick onerror onload
onmouseover placeholder poster readonly required role scope selected shape span spellcheck src
srcset start summary tabindex title usemap value xml:lang xmlns xmlns:m xmlns:o xmlns:v xmlns:w
""")
PLAIN_WORDS = _read("""
align alt apple aptos arial background black blank blue bold bookman border bottom break calibri
cambria candara center century charset clear collapse color comic consolas content courier cursive
decoration default display en family fareast fixed font garamond georgia gmail gothic gray green
grey height helvetica hidden html important indent inherit initial italic justify language left line
list ltr lucida margin max middle min monospace ms new nofollow none noopener noreferrer normal
nowrap padding palatino pointer position pre quot quote red relative rgb rgba right roman rtl sans
se segoe serif size solid space spacing span style sv tahoma text times top transparent trebuchet
type ui underline us utf verdana vertical weight white width word wrap yellow
""")
# fmt: on
