"""The words of the annotation in Swedish."""

from typing import Any

WORDS: dict[str, Any] = {
    "skip_link": "Till innehållet",
    "pages": "Sidor",
    "overview": "Översikt",
    "annotate": "Annotera",
    "messages": "Meddelanden",
    "search": "Sök",
    "settle": "Avgör",
    "guidelines": "Riktlinjer",
    "language": "Språk",
    "annotator": "Annoterar",
    "statuses": {
        "open": "inte klart",
        "done": "klart",
        "doubtful": "tveksamt",
        "skipped": "överhoppat",
    },
    # Overview
    "finished": "{done} av {n} meddelanden",
    "all_finished": "Alla meddelanden är klara.",
    "skipped_left": (
        "Gå igenom {n} överhoppat meddelande",
        "Gå igenom {n} överhoppade meddelanden",
    ),
    "settle_differences": "Avgör skillnader",
    "begin": (
        "Så börjar du: tryck på Annotera. Markera varje namn, nummer och annat i texten som hör "
        "till en klass: klicka på orden och sedan på klassen. Tryck Enter när meddelandet är "
        "klart, så kommer nästa. Allt sparas direkt."
    ),
    "annotators": "De som annoterar",
    "name": "namn",
    "messages_a_minute": "meddelanden per minut",
    "sentences_a_minute": "meningar per minut",
    "somebody_else": "Annotera som någon annan",
    "name_help": "Bokstäver, siffror, mellanslag, punkter och bindestreck",
    "go": "byt",
    "agreement": "Överensstämmelse",
    "agreed_on": (
        "{n} meddelanden som två eller fler har gjort klara; {disputed} med skillnader, {settled} av dem "
        "avgjorda. Inom parentes: 95 % konfidensintervall."
    ),
    "agreement_help": (
        "Procent: hur stor del av det som två har markerat som är lika. κ (kappa): enigheten "
        "utöver slumpen; 1 är full enighet, 0 är som slumpen."
    ),
    "no_agreement": "Inget meddelande är klart hos två ännu.",
    "kappa": "κ, ord",
    "token_f": "F1, ord",
    "entity_f": "F1, markeringar",
    "all_classes": "alla",
    "export": "Ladda ned",
    "whose": "Vems",
    "settled": "avgjort",
    "format": "Format",
    "with_doubtful": "även tveksamma",
    "download": "ladda ned",
    "export_help": (
        "Filen INNEHÅLLER personuppgifter. Avgjort: det som alla är ense om eller någon har avgjort, och "
        "vem; ett meddelande som bara en har gjort klart tas som det är."
    ),
    "measure": "Mät verktyget",
    "measure_on": "På meddelanden av",
    "measure_go": "mät",
    "measure_help": "Det kan ta några minuter.",
    "measured_on": "På {n} meddelanden ({whose}):",
    "nothing_finished": "Inget är klart ännu att mäta på.",
    "headlines": {
        "redact": "av uppgifterna: ingen bokstav eller siffra är kvar",
        "full": "av meddelandena med personuppgifter: ingen är kvar i dem",
        "clean": "av meddelandena utan personuppgifter: inget är ändrat",
    },
    "measure_failed": (
        "Det går inte att mäta på detta. Se efter att texterna är oförändrade och att verktyget "
        "kan läsa dem."
    ),
    "measures_help": (
        "Inom parentes: mellan vilka värden det sanna talet troligen ligger (95 %). Utan parentes "
        "är meddelandena för få för att säga det."
    ),
    "measures": "Mått per klass",
    "class": "klass",
    "precision": "av det som verktyget markerar: rätt",
    "recall": "av det som ska markeras: hittat exakt",
    "redact": "dolt helt",
    "spans": "markeringar",
    "train": "Träna med det",
    "train_help": (
        "Den som tränar verktyget laddar ned JSONL, lägger filen i projektets mapp och kör:"
    ),
    # Messages
    "all": "alla",
    "listed": "{n} meddelanden, i den ordning de ska annoteras",
    "message": "meddelande",
    "status": "status",
    "marks": "markeringar",
    "begins": "börjar",
    "comment": "kommentar",
    "earlier": "tidigare",
    "later": "senare",
    "page_of": "sida {page} av {n}",
    # A message
    "message_n": "Meddelande {n}",
    "progress": "Klara meddelanden",
    "speed": "{messages} meddelanden, {sentences} meningar per minut",
    "said_before": "Tidigare i samtalet",
    "said": "sagt",
    "open_said": "Öppna det tidigare meddelandet",
    "authors": {"patient": "patient", "caregiver": "vårdgivare"},
    "in_place": (
        "Klicka på ett ord och välj klass, eller tryck på klassens tangent. Streckat är förslag. "
        "Enter: klart, nästa meddelande. ?: alla tangenter."
    ),
    "text_help": "Meddelandet. Piltangenter flyttar ord för ord, bokstäver väljer klass, frågetecken visar alla tangenter.",
    "untouched": "Orört",
    "saved": "Sparat",
    "to_undo": "{n} att ångra",
    "to_redo": "{n} att göra om",
    "warnings": "Varningar",
    "suggested": "förslag",
    "remove": "Ta bort markeringen av {words}",
    "nothing_marked": "Inget är markerat.",
    "not_marked": "inte markerat",
    "no_words": "Här finns inget ord.",
    "not_saved": "INTE SPARAT:",
    "unreachable": "servern svarar inte. Starta den igen; det som sparats finns kvar.",
    "restarted": "servern har startats om. Öppna adressen som den skrev ut.",
    "refused": "servern vägrar ({status}). Ladda om sidan.",
    "changed": (
        "Meddelandet har ändrats i ett annat fönster. Du ser hur det är nu: titta, och gör om det."
    ),
    "classes": "Klasser",
    "no_mark": "ingen markering",
    "done_next": "godkänn, nästa",
    "undo": "ångra",
    "redo": "gör om",
    "accept": "godkänn allt",
    "skip": "hoppa över",
    "doubtful": "tveksamt …",
    "open_again": "öppna igen",
    "extend": "utöka",
    "back": "bakåt",
    "forward": "framåt",
    "keys": "tangenter",
    "help": "Hjälp för meddelandet",
    "history": "Hur det annoterats förut",
    "history_help": "Välj ord och tryck",
    "look_up": "slå upp",
    "find": "sök i alla meddelanden",
    "no_history": "i inget klart meddelande.",
    "doubt": "Vad är tveksamt?",
    "doubt_help": "En kommentar till den som avgör",
    "doubt_save": "spara, nästa",
    "cancel": "avbryt",
    "close": "stäng",
    "or": "eller",
    "key_help": {
        "move": "ordet eller markeringen före, efter",
        "extend": "ett ord mindre, mer",
        "begin": "börja en bokstav tidigare, senare",
        "end": "sluta en bokstav tidigare, senare",
        "jump": "markeringen före, efter",
        "edges": "första, sista ordet",
        "erase": "ingen markering",
        "undo": "ångra, gör om; i ett orört meddelande: tillbaka till det förra",
        "accept": "godkänn alla förslag",
        "done": "godkänn allt, klart, nästa meddelande",
        "skip": "hoppa över, nästa meddelande",
        "doubtful": "tveksamt, med kommentar, nästa meddelande",
        "open": "öppna igen: inte klart, överhoppat eller tveksamt",
        "walk": "bakåt, framåt, inget ändras",
        "look": "hur det annoterats förut; sök i alla meddelanden; riktlinjer",
    },
    # Search
    "search_help": "Ord eller reguljärt uttryck, i alla meddelanden; stora och små bokstäver spelar ingen roll",
    "whole_words": "hela ord",
    "search_go": "sök",
    "made": ("{n} markering gjordes.", "{n} markeringar gjordes."),
    "take_back": "ta tillbaka",
    "taken_back": ("{n} meddelande är som det var.", "{n} meddelanden är som de var."),
    "hits": ("{n} träff", "{n} träffar"),
    "hits_shown": "de första {n} visas",
    "mark_like": "Markera alla {n} så här, där inget är markerat än",
    "mark_all": "markera alla",
    # Settling
    "settle_n": "Avgör meddelande {n}",
    "settle_at": "{at} av {n} meddelanden med skillnader · {left} kvar",
    "nobody": "ingen",
    "nothing": "inget",
    "decided_by": "avgjort av {name}; ett annat val ersätter det",
    "settle_help": "En siffra väljer i den första öppna skillnaden.",
    "settle_edit": "markera själv",
    "settle_edit_help": (
        "Markera meddelandet som det ska vara. Streckat: inte avgjort än. Enter gör det till det avgjorda "
        "svaret, avgjort av {name}."
    ),
    "settle_done": "detta är det avgjorda svaret",
    "errors": {
        "no_word": "Här finns inget ord att markera.",
        "no_class": "Det finns ingen sådan klass.",
        "no_status": "Det finns ingen sådan status.",
        "unseen": "Meddelandet har inte hunnit synas: läs det först.",
        "no_action": "Det finns ingen sådan åtgärd.",
        "no_choice": "Här finns inget sådant att avgöra.",
        "no_regex": (
            "Det är inget reguljärt uttryck: ( [ och \\ har en egen betydelse. Skriv \\( för en parentes."
        ),
        "runaway": "Det tar för lång tid på ett meddelande: skriv ett enklare uttryck.",
        "slow": "Det tar för lång tid på alla meddelanden: skriv ett enklare uttryck.",
    },
    "checks": {
        "space": "Den har blanktecken i kanten.",
        "within": "Den börjar eller slutar inne i ett ord: hela ord markeras.",
        "first_sign": "Den börjar med ett tecken som inte hör till namnet eller numret.",
        "last_sign": "Den slutar med ett tecken som inte hör till namnet eller numret.",
        "digits": "Ett sådant nummer har siffror.",
        "short": "Allmänna kortnummer är inte telefonnummer.",
        "at": "En e-postadress har ett @.",
        "article": "Artikeln (den) hör inte till ett datum.",
        "weekday": "En veckodag för sig är inget datum.",
        "possessive": "Ett possessivt ord (min, hennes) hör inte till en person.",
        "kinship": "Ett släktord eller en titel direkt framför namnet hör till det: ”mamma Karin”.",
        "unmarked": "Samma ord är markerade på ett annat ställe i meddelandet.",
    },
}
