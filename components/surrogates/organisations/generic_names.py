"""Names that care units, homes and schools might have, and none is known by."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain

from ..core.pools import Pool

# First and second parts of names of estates and nature, the second with its form within a compound.
FIRST_PARTS = """
Björk Ek Lind Rönn Asp Hassel Tall Gran Lönn Alm Bok Sol Käll Ros Sten Strand Sjö Äppel Hägg Syren Bäck Lärk Svan
Kvarn Ljung Tegel Fågel Smed
"""
SECOND_PARTS = (
    ("backen", "backs"),
    ("ängen", "ängs"),
    ("lunden", "lunds"),
    ("dalen", "dals"),
    ("kullen", "kulla"),
    ("gården", "gårds"),
    ("hagen", "hags"),
    ("höjden", "höjds"),
    ("vallen", "valls"),
)
COMPOUNDS = {
    first + a: first + b
    for first in FIRST_PARTS.split()
    for a, b in SECOND_PARTS
    # `Tallunden` would be written with two of the three.
    if first[-2:] != 2 * a[0]
}
# Names that stand as they are, by what they are for.
SINGLE = {
    "care": """
    Kompassen Fyren Ankaret Kronan Stjärnan Klockan Liljan Klövern Nyckeln Balder Freja Kastanjen Oxeln Draken
    Eken Linden Almen Boken Hasseln Olivia Vitalis Salus Hälsan Medicus Kusten Åsen Viken Torget Bron Parken
    Brunnen Källan Skutan Kajen Kanalen Hamnen Verket Magasinet Tornet Porten Kvarteret Tullen
    """,
    "pharmacy": """
    Svanen Lejonet Örnen Hjorten Älgen Enhörningen Pelikanen Storken Falken Ugglan Tranan Korpen Delfinen Elefanten
    Kronan Stjärnan Solen Månen Ankaret Fyren Kompassen Näckrosen Liljan Rosen Blåklockan Blåsippan Linnean Svalan
    Gripen Draken Fenix Vasen Nordstjärnan Polstjärnan Lyran Hunden Tuppen Duvan Lärkan Gladan Bävern Ekorren Igelkotten
    Järven Lodjuret Renen Tjädern Orren Ripan Mården Uttern Kastanjen Linden Eken Björken Lönnen Tallen Granen Rönnen
    """,
    "preschool": """
    Solstrålen Regnbågen Myran Humlan Nyckelpigan Fjärilen Trollet Älvan Tomtebo Pärlan Snäckan Musslan Grodan Paddan
    Ekorren Igelkotten Haren Räven Björnen Nallen Ugglan Svalan Lärkan Blåsippan Vitsippan Tussilagon Smultronet Blåbäret
    Hallonet Lingonet Kotten Eken Björken Tallen Granen Linden Lyktan Lanternan Ankaret Båten Fyren Kompassen Ballongen
    Draken Kometen Månen Stjärnan Raketen Kojan Lekstugan Sandlådan Skogsbrynet Gläntan Ängen Hagen Backen Dungen
    """,
    "sameby": """
    Baste Gabna Girjas Gran Handölsdalens Idre Jijnjevaerie Jovnevaerie Könkämä Laevas Lainiovuoma Leavas Mittådalens
    Njaarke Ohredahke Ran Raedtievaerie Saarivuoma Semisjaur-Njarg Sirges Svaipa Talma Tuorpon Tåssåsens
    Udtja Umbyns Vapstens Voernese
    """,
    "business": """
    Bergdahls Lindroths Ekmans Nordins Wikströms Sandells Hagbergs Åkerlinds Sundbergs Forsmans Almgrens Hedlunds
    Nybergs Broströms Kjellgrens Strandells Dahlbergs Rosenlunds Westmans Tornqvists Hallgrens Mobergs Lindeborgs
    Engdahls Fridströms Norlings Palmgrens Öbergs Skogmans Vikanders Roslunds Cederbloms Hamréns Ahlqvists Söderlinds
    """,
}
HOMES = ("gården", "backen", "hagen", "lunden", "kullen", "höjden")
# Which of these the types of organisations take; others have those of estates.
OF_TYPE = {
    "pharmacy": ("pharmacy",),
    "preschool": ("preschool",),
    "care_home": ("homes",),
    "school": ("estates",),
    "gymnasium": ("estates",),
    "sameby": ("sameby",),
}
CARE = ("care", "estates")
BUSINESS = ("business",)


class GenericNames:
    """The names to choose from by type of organisation, and their forms within a compound.

    names (Mapping[str, str] | None): Names with their forms within a compound, to take instead for
        all types.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.names = names
        self._pools: dict[tuple[str, ...], Pool] = {}

    @cached_property
    def _sources(self) -> dict[str, Iterable[str]]:
        homes = [name for name in COMPOUNDS if name.endswith(HOMES)]
        single = {kind: names.split() for kind, names in SINGLE.items()}
        return {**single, "estates": [*COMPOUNDS], "homes": homes}

    def get_pool(self, type_: str, business: bool = False) -> Pool:
        """Get the names for a type of organisation.

        business (bool): Whether it is a company that is called after somebody.
        """
        kinds = OF_TYPE.get(type_, BUSINESS if business else CARE)
        if kinds not in self._pools:
            names = self.names or chain(*(self._sources[kind] for kind in kinds))
            self._pools[kinds] = Pool(names)
        return self._pools[kinds]

    def get_form(self, name: str) -> str:
        """Get the form of a name within a compound: `Björkbacks` of `Björkbacken`."""
        forms = self.names or COMPOUNDS
        return forms.get(name) or name + ("" if name[-1] in "sn" else "s")

    @cached_property
    def estates(self) -> Pool:
        """Names that have a form within a compound."""
        return Pool(self.names or COMPOUNDS)
