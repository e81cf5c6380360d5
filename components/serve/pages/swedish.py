"""The words of the page in Swedish."""

from typing import Any

WORDS: dict[str, Any] = {
    "title": "Prova avidentifieringen",
    "lead": (
        "Klistra in meddelanden och se vad som hittas, varför, och vad det blir. Allt stannar på den dator "
        "som kör sidan. Inget sparas eller loggas."
    ),
    "skip": "Till resultatet",
    "language": "Språk",
    "examples": "Börja med ett exempel",
    "example_names": {
        "mother": "Ett meddelande",
        "conversation": "En konversation med en känd patient",
        "doubts": "Det som liknar personuppgifter men inte är det",
        "more": "Webbadresser och ärendenummer",
        "table": "Rader ur en tabell",
    },
    "messages": "Meddelanden",
    "text": "Text",
    "text_help": "Klistra in eller skriv här, eller släpp en fil var som helst på sidan.",
    "split": "Texten är",
    "splits": {
        "one": "ett meddelande",
        "paragraphs": "meddelanden med en tom rad emellan",
        "lines": "ett meddelande på varje rad",
    },
    "together": "Meddelandena är en konversation",
    "together_help": (
        "Det som ett meddelande berättar hittas då i alla, och en person behåller sitt nya namn. I en fil "
        "avgör kolumnen med konversationen."
    ),
    "file": "Eller en fil",
    "file_help": "JSONL, CSV, TSV eller Parquet med högst {n} rader, eller ren text.",
    "file_off": "Ta bort filen",
    "columns": "Filens kolumner",
    "no_header": "Filens första rad innehåller personuppgifter: den läses som ett meddelande, och kolumnerna är numrerade.",
    "text_column": "Text",
    "conversation_column": "Konversation",
    "no_column": "ingen",
    "controls": "Vad som hittas och vad det blir",
    "threshold": "Tröskel",
    "threshold_help": (
        "Lägsta sannolikhet för ett ord som modellen hittar. Lägre hittar mer, och förstör mer. "
        "Förvalt: {own}."
    ),
    "strategy": "Ersätt med",
    "strategies": {
        "surrogate": "annat namn, plats, datum …",
        "numbered": "numrerad etikett: [PERSON_1]",
        "label": "klassen: [PERSON]",
        "mask": "stjärnor: ***",
        "remove": "ingenting",
        "keep": "får stå kvar",
    },
    "classes": "Klasser",
    "classes_help": "En klass utan bock hittas men står kvar i texten.",
    "by_class": "Tröskel och ersättning per klass",
    "by_class_help": "Tomt: som ovan.",
    "class": "Klass",
    "as_above": "som ovan",
    "optional": "Valfria klasser",
    "optional_help": "Hittas med mönster. Hur väl har inte mätts.",
    "options": "Datum, åldrar, telefonnummer",
    "option_names": {"dates": "Datum", "ages": "Åldrar", "surrogate_numbers": "Telefonnummer"},
    "choices": {
        "shift": "flyttade",
        "month": "rätt månad, ingen dag",
        "year": "bara rätt år",
        "bands": "i femårsklasser",
        "reserved": "reserverade, ingens",
        "plausible": "vilka som helst, kan vara någons",
    },
    "known": "Kända deltagare",
    "known_help": (
        "Det du vet om dem som skriver. Det hittas först, hur det än är skrivet, i alla meddelanden."
    ),
    "participant": "Deltagare",
    "fields": {
        "name": "Namn",
        "pid": "Personnummer",
        "phone": "Telefon",
        "email": "E-post",
        "address": "Adress",
    },
    "ignored": "{name} för deltagare {n} är för kort eller av fel slag och söks inte.",
    "add_participant": "En deltagare till",
    "show": "Visa",
    "reset": "Börja om",
    "result": "Resultat",
    "nothing": "Inget att visa än: klistra in ett meddelande eller ta ett exempel.",
    "working": "Arbetar …",
    "summary": "Hittade {found} i {messages}.",
    "found_in": ("{n} personuppgift", "{n} personuppgifter"),
    "in_doubt": "Prövade, men står kvar: {n}.",
    "in_messages": ("{n} meddelande", "{n} meddelanden"),
    "before": "Vad som hittas",
    "after": "Vad det blir",
    "message": "Meddelande",
    "row": "Rad",
    "hint": (
        "Klicka på ett färgat ord, eller gå till det med Tabb och tryck Enter, för att läsa varför det "
        "hittades. Nedtonat med prickad linje: prövades och står kvar."
    ),
    "why": "Varför",
    "close": "Stäng",
    "becomes": "blir",
    "stays": "står kvar",
    "removed": "ingenting",
    "stays_dubious": "står kvar",
    "probability": "Högsta säkerhet",
    "foreign": "Meddelandet tycks vara på ett annat språk ({language}). Där hittas mindre.",
    "masked": "Meddelandet är dolt i sin helhet: {reason}.",
    "page_of": "Meddelande {first} till {last} av {n}",
    "previous": "Tidigare",
    "next": "Senare",
    "download": "Ladda ner",
    "download_help": (
        "Alla meddelanden med dessa inställningar, inte bara de som visas. Andra kolumner i en fil kopieras "
        "som de är: ett namn i dem står kvar."
    ),
    "copied": "Kolumnen {name} skrivs som den är och innehåller {classes}: ta bort den ur filen innan du lämnar den vidare.",
    "copied_time": "Kolumnen {name} skrivs som den är och innehåller tider: ett datum bredvid sin tid avslöjar hur alla datum flyttats. "
    "Ta bort den ur filen innan du lämnar den vidare.",
    "with_spans": "Med en kolumn som berättar vad som står var",
    "rejected": "Rader som inte kan läsas och inte kommer med i det som laddas ner",
    "unread": "Rad {n} kan inte läsas: {reason}",
    "errors": {
        "file": (
            "Filen kan inte läsas: {reason}. Spara den som CSV eller JSONL i UTF-8, med en rubrikrad, och "
            "försök igen."
        ),
        "rows": (
            "Över {n} meddelanden är för mycket för sidan. Ta en del, eller kommandot: sv-deid-chat run IN UT."
        ),
        "large": "Filen eller texten är för stor för sidan.",
        "empty": "Det finns inget att ladda ner: ge ett meddelande eller en fil.",
        "settings": "De här inställningarna går inte ihop: {reason}.",
        "busy": "För mycket på en gång. Försök igen om en stund.",
        "failed": "Det gick inte ({status}). Ladda om sidan.",
        "unreachable": "Servern svarar inte. Kör den fortfarande?",
    },
    # What errors say in English, as regular expressions. The first that matches is said in Swedish.
    "reasons": {
        r"^language \((.+)\)": "det är på ett annat språk ({0})",
        r"^([\w ]+_[\w ]+)$": "ett fel i {0}",
        "UTF-16:": "den är i UTF-16",
        "neither a table": "den är varken en tabell eller text i UTF-8",
        "workbook": "den är en arbetsbok",
        r"compressed by (\w+)": "den är packad med {0}",
        "[Ii]t is (Parquet)": "den är {0}",
        r"no whole (\w+) file": "den är ingen hel {0}-fil",
        "is empty|has no rows": "den är tom",
        "not JSONL": "den är inte JSONL, ett JSON-objekt på varje rad",
        "columns of one name, the columns (.+) and (.+):": "kolumn {0} och {1} har samma namn",
        "(?:unpacks to|a line of) over (.+ MiB)": "den är för stor, över {0}",
        "header that can be read": "rubrikraden kan inte läsas",
        "UTF-8": "det är inte UTF-8",
        "valid JSON": "det är inte giltig JSON",
        "JSON object": "det är inget JSON-objekt",
        "^(.+) cells, the first row has (.+)": "den har {0} celler och första raden {1}",
        "^no(?:ne of the)? fields? (.+)": "{0} saknas",
        "^field (.+) (?:is not a string|holds a lone|is neither)": "{0} är ingen riktig text",
        "^field (.+?):? ": "{0} kan inte tolkas",
        "participants of line (.+) cannot": "det som är känt på rad {0} kan inte tolkas",
        "threshold": "tröskeln ska vara ett tal från 0 till 1",
        "": "något gick fel",
    },
    "promises": "Vad den inte lovar",
    "promise": [
        (
            "Det är ingen anonymisering i GDPR:s mening. Ett meddelande kan röja vem som skrev det utan "
            "någon av klasserna: en ovanlig sjukdom, ett ovanligt yrke, en händelse i nyheterna."
        ),
        (
            "Den missar en del. Läs ett urval av dina egna meddelanden innan du litar på den för resten, "
            "och mät: sv-deid-chat evaluate."
        ),
        "Ett exempel som går bra säger inget om nästa meddelande.",
        (
            "En sannolikhet är vad modellen tror. Den kan vara säker och ha fel. Det som den inte alls "
            "hittar visas inte heller som tveksamt."
        ),
        "Webbadresser, registreringsnummer, ärendenummer och liknande hittas bara om du ber om det.",
    ],
    "labels": {
        "PERSON": "person",
        "LOCATION": "plats",
        "ORGANISATION": "organisation",
        "PID": "personnummer",
        "PHONE": "telefon",
        "EMAIL": "e-post",
        "DATE": "datum",
        "AGE": "ålder",
        "PHI": "personuppgift",
        "URL": "webbadress",
        "PROFILE": "profil",
        "IP_ADDRESS": "IP-adress",
        "MAC_ADDRESS": "MAC-adress",
        "PLATE": "registreringsnummer",
        "ORGANISATION_NUMBER": "organisationsnummer",
        "BANKGIRO": "bankgiro",
        "PLUSGIRO": "plusgiro",
        "IBAN": "IBAN",
        "ACCOUNT": "kontonummer",
        "CARD": "kortnummer",
        "RESERVE_NUMBER": "reservnummer",
        "LMA_NUMBER": "LMA-nummer",
        "CASE_NUMBER": "ärendenummer",
        "NORDIC_ID": "nordiskt personnummer",
    },
    "found_by": {
        "known": "Det hör till en deltagare som du har angett: ”{quote}” ({label}).",
        "known:word": "En deltagare som du har angett heter så: ”{quote}”, här med liten bokstav.",
        "known:typo": "Det hör till en deltagare som du har angett, men felstavat: ”{quote}”.",
        "known:compound": "Det börjar med namnet på en deltagare som du har angett: ”{quote}”.",
        "known:initials": "Det är initialerna för en deltagare som du har angett: ”{quote}”.",
        "rules": "Ett mönster tar ”{quote}” för: {label}. Dess säkerhet är {score}.",
        "phi": "Modellen läser ”{quote}” som: {label}. Sannolikheten är {score}.",
        "conversation": "Ett annat meddelande i konversationen berättar det: ”{quote}” ({label}).",
        "conversation:typo": (
            "Ett annat meddelande i konversationen berättar det: ”{quote}”, här felstavat."
        ),
        "conversation:compound": (
            "Det börjar med ett namn som ett annat meddelande i konversationen berättar: ”{quote}”."
        ),
        "conversation:initials": (
            "Det är initialerna för någon som ett annat meddelande berättar om: ”{quote}”."
        ),
        "gazetteer": "”{quote}” står i en lista: {detail}.",
        "own": "En egen komponent i pipelinen tar ”{quote}” för: {label}.",
        "custom": "Du har bett om klassen, och ett mönster tar ”{quote}” för: {label}.",
        "custom:deny": "Det står i din lista över det som alltid ersätts: ”{quote}”.",
        "": "”{quote}”: {help}",
    },
    "lists": {
        "first_name": "förnamn",
        "nickname": "smeknamn",
        "surname": "efternamn",
        "first_name+surname": "förnamn, och efternamn efter det",
        "place": "platser",
        "street": "gator",
        "organisation": "organisationer",
        "abbreviation": "förkortningar för organisationer",
        "unit": "vårdenheter",
    },
    "changed_by": {
        "unite": "Det som hittades här överlappar och blev ett: ”{quote}”, {label}.",
        "allow": "Det som du tillåter togs bort ur det. Kvar är ”{quote}”.",
        "edit.beside": "Av en tidsstämpel eller ett filnamn räknas bara datumet. Kvar är ”{quote}”.",
        "edit.url": "En webbadress pekar inte ut någon. Kvar är ”{quote}”.",
        "edit.flat": "Lägenhet och våning hör inte till en adress. Kvar är ”{quote}”.",
        "edit.punctuation": "Skiljetecken i kanten hör inte dit. Kvar är ”{quote}”.",
        "edit.people": "Ett komma mellan två personer skiljer dem åt. Den ena är ”{quote}”.",
        "edit.listed": "Listorna känner ”{quote}” som en annan klass: {label}.",
        "join.word": "Ett namn tar med hela ordet: ”{quote}”.",
        "join.initial": "En stor bokstav efter ett namn hör till det: ”{quote}”.",
        "join.parts": "Delar av samma namn står intill varandra: ”{quote}”.",
        "join.again": "”{quote}” hör till ett namn som står på ett annat ställe i meddelandet.",
        "join.title": "En titel eller ett släktord framför ett namn hör till det: ”{quote}”.",
        "join.address": "Ett användarnamn eller en adress med ett namn i tas i sin helhet: ”{quote}”.",
    },
    "doubted_by": {
        "edit.beside": "Av en tidsstämpel eller ett filnamn räknas bara datumet.",
        "edit.url": "En webbadress pekar inte ut någon.",
        "edit.flat": "Lägenhet och våning hör inte till en adress.",
        "edit.people": "Det står mellan två personer.",
        "doubt.title": "En titel för sig är ingen plats eller organisation.",
        "doubt.form": "Det har inte den form som klassen har.",
        "doubt.lower_case": (
            "Ett ord med liten bokstav som inte står i någon namnlista, eller är ett vanligt ord, behöver "
            "högre sannolikhet för att vara ett namn."
        ),
        "doubt.opening_word": "Det är ett vanligt ord som har stor bokstav för att det inleder meningen.",
        "confirm.weak_pattern": (
            "Det kan lika gärna vara en andel, en dos eller en tid, och modellen hittar inget där."
        ),
        "allow": "Det står i din lista över det som aldrig ersätts.",
    },
    "thought": {
        "pattern": "Ett mönster tog det för: {label} ({score}).",
        "model": "Modellen tog det för: {label} (sannolikhet {score}).",
    },
    "no_class": "Ett mönster säger att det inte hör till någon klass: {what}.",
    "no_class_of": {
        "": "något som liknar en av dem",
        "account": "ett konto",
        "age": "en åldersgräns, eller åldern på en sak",
        "case": "ett ärendenummer",
        "clock": "ett klockslag",
        "code": "en kod",
        "dose": "en dos",
        "duration": "en tidslängd",
        "emergency": "ett allmänt kortnummer",
        "every": "hur ofta",
        "floor": "en våning",
        "handle": "ett användarnamn",
        "insulin": "en dos",
        "ip": "en IP-adress",
        "name": "ett ord som annars är ett namn",
        "password": "ett lösenord",
        "pregnancy": "en graviditetsvecka",
        "queue": "en köplats",
        "reference": "ett referensnummer",
        "scale": "ett tal på en skala",
        "school": "en skolklass",
        "strength": "ett läkemedels styrka",
        "url": "en webbadress",
        "value": "ett mätvärde",
    },
}
