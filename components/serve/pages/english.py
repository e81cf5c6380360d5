"""The words of the page in English."""

from typing import Any

WORDS: dict[str, Any] = {
    "title": "Try the de-identification",
    "lead": (
        "Paste messages and see what is found, why, and what comes out. All of it stays on the machine "
        "that runs this page. Nothing is saved or logged."
    ),
    "skip": "To the result",
    "language": "Language",
    "examples": "Begin with an example",
    "example_names": {
        "mother": "A message",
        "conversation": "A conversation, with a known patient",
        "doubts": "What looks like PHI and is none",
        "more": "Addresses on the web, case numbers",
        "table": "Rows of a table",
    },
    "messages": "Messages",
    "text": "Text",
    "text_help": "Paste or write here, or drop a file anywhere on the page.",
    "split": "The text is",
    "splits": {
        "one": "one message",
        "paragraphs": "messages with a blank line between them",
        "lines": "a message on each line",
    },
    "together": "The messages are one conversation",
    "together_help": (
        "What one message tells is then found in all, and a person keeps one surrogate. In a file, the "
        "column with the conversation decides."
    ),
    "file": "Or a file",
    "file_help": "JSONL, CSV, TSV or Parquet of up to {n} rows, or plain text.",
    "file_off": "Remove the file",
    "columns": "Columns of the file",
    "no_header": "The first row of the file holds personal data: it is read as a message, and the columns are numbered.",
    "text_column": "Text",
    "conversation_column": "Conversation",
    "no_column": "none",
    "controls": "What is found and what becomes of it",
    "threshold": "Threshold",
    "threshold_help": (
        "The least probability of a word that the model finds. Lower finds more, and spoils more. "
        "The pipeline's own: {own}."
    ),
    "strategy": "Strategy",
    "strategies": {
        "surrogate": "another name, place, date …",
        "numbered": "a numbered placeholder: [PERSON_1]",
        "label": "the class: [PERSON]",
        "mask": "stars: ***",
        "remove": "nothing",
        "keep": "stays as it is",
    },
    "classes": "Classes",
    "classes_help": "A class without a tick is found and stays in the text.",
    "by_class": "Threshold and strategy by class",
    "by_class_help": "Empty: as above.",
    "class": "Class",
    "as_above": "as above",
    "optional": "Optional classes",
    "optional_help": "Found by patterns. They were not measured.",
    "options": "Dates, ages, phone numbers",
    "option_names": {"dates": "Dates", "ages": "Ages", "surrogate_numbers": "Phone numbers"},
    "choices": {
        "shift": "moved",
        "month": "the true month, no day",
        "year": "the true year alone",
        "bands": "bands of five years",
        "reserved": "set aside, nobody's",
        "plausible": "any, may be somebody's",
    },
    "known": "Known participants",
    "known_help": (
        "What you know of those who write. It is found first, however it is written, in all messages."
    ),
    "participant": "Participant",
    "fields": {
        "name": "Name",
        "pid": "Personal identity number",
        "phone": "Phone",
        "email": "E-mail",
        "address": "Address",
    },
    "ignored": "{name} of participant {n} is too short, or not of its kind, and is not looked for.",
    "add_participant": "One more participant",
    "show": "Show",
    "reset": "Begin anew",
    "result": "Result",
    "nothing": "Nothing to show yet: paste a message, or take an example.",
    "working": "Working …",
    "summary": "Found {found} in {messages}.",
    "found_in": ("{n} piece of personal information", "{n} pieces of personal information"),
    "in_doubt": "Looked at and left as they are: {n}.",
    "in_messages": ("{n} message", "{n} messages"),
    "before": "What is found",
    "after": "What comes out",
    "message": "Message",
    "row": "Row",
    "hint": (
        "Click a coloured word, or go to it with Tab and press Enter, to read why it was found. Dimmed with "
        "a dotted line: looked at and left as it is."
    ),
    "why": "Why",
    "close": "Close",
    "becomes": "becomes",
    "stays": "stays as it is",
    "removed": "nothing",
    "stays_dubious": "is left as it is",
    "probability": "Highest certainty",
    "foreign": "This message seems to be in another language ({language}). Less is found in it.",
    "masked": "This message is masked whole: {reason}.",
    "page_of": "Messages {first} to {last} of {n}",
    "previous": "Earlier",
    "next": "Later",
    "download": "Download",
    "download_help": (
        "All messages with these settings, not only those that are shown. Other columns of a file are "
        "copied as they are: a name in them stays in them."
    ),
    "copied": "The column {name} is written as it is, and holds {classes}: take it out of the file before you give it to anybody.",
    "copied_time": "The column {name} is written as it is, and holds times: one date beside its time tells by how much all dates moved. "
    "Take it out of the file before you give it to anybody.",
    "with_spans": "With a column that tells what stands where",
    "rejected": "Rows that cannot be read, and are left out of what is downloaded",
    "unread": "Row {n}: {reason}",
    "errors": {
        "file": "The file cannot be read: {reason}",
        "rows": (
            "Over {n} messages are too many for this page. Take a part, or the command: sv-deid-chat run IN OUT."
        ),
        "large": "The file or the text is too large for this page.",
        "empty": "There is nothing to download: give a message or a file.",
        "settings": "These settings cannot be used: {reason}",
        "busy": "Too much is asked at once. Try again in a moment.",
        "failed": "That did not work ({status}). Load the page again.",
        "unreachable": "The server does not answer. Is it still running?",
    },
    "reasons": {},
    "promises": "What it does not promise",
    "promise": [
        (
            "It is no anonymisation in the sense of the GDPR. A message may tell who wrote it without any "
            "of the classes: a rare disease, a rare job, an event in the news."
        ),
        (
            "It misses some. Read a sample of your own messages before you trust it with the rest, and "
            "measure it: sv-deid-chat evaluate."
        ),
        "An example that goes well says nothing of the next message.",
        (
            "A probability is what the model believes. It may be sure and wrong. What it does not find at "
            "all is not shown as doubted, either."
        ),
        "Web addresses, plates, case numbers and the like are found only if you ask for them.",
    ],
    "labels": {
        "PERSON": "person",
        "LOCATION": "place",
        "ORGANISATION": "organisation",
        "PID": "identity number",
        "PHONE": "phone",
        "EMAIL": "e-mail",
        "DATE": "date",
        "AGE": "age",
        "PHI": "personal information",
        "URL": "web address",
        "PROFILE": "profile",
        "IP_ADDRESS": "IP address",
        "MAC_ADDRESS": "MAC address",
        "PLATE": "plate",
        "ORGANISATION_NUMBER": "organisation number",
        "BANKGIRO": "bankgiro",
        "PLUSGIRO": "plusgiro",
        "IBAN": "IBAN",
        "ACCOUNT": "account",
        "CARD": "card",
        "RESERVE_NUMBER": "reserve number",
        "LMA_NUMBER": "LMA number",
        "CASE_NUMBER": "case number",
        "NORDIC_ID": "Nordic identity number",
    },
    # Steps of a trace: {quote} is what was found, {label} its class.
    "found_by": {
        "known": "It is of a participant that you named: “{quote}” ({label}).",
        "known:word": "A participant that you named is called so: “{quote}”, here in lower case.",
        "known:typo": "It is of a participant that you named, with a typing error: “{quote}”.",
        "known:compound": "It begins with the name of a participant that you named: “{quote}”.",
        "known:initials": "It is the initials of a participant that you named: “{quote}”.",
        "rules": "A pattern takes “{quote}” for: {label}. Its certainty is {score}.",
        "phi": "The model reads “{quote}” as: {label}. Its probability is {score}.",
        "conversation": "Another message of the conversation tells it: “{quote}” ({label}).",
        "conversation:typo": (
            "Another message of the conversation tells it: “{quote}”, here with a typing error."
        ),
        "conversation:compound": (
            "It begins with a name that another message of the conversation tells: “{quote}”."
        ),
        "conversation:initials": (
            "It is the initials of somebody that another message tells of: “{quote}”."
        ),
        "gazetteer": "“{quote}” stands in a list: {detail}.",
        "own": "A component that was added to the pipeline takes “{quote}” for: {label}.",
        "custom": "You asked for this class, and a pattern takes “{quote}” for: {label}.",
        "custom:deny": "It stands in your list of what is always replaced: “{quote}”.",
        "": "“{quote}”: {help}",
    },
    "lists": {
        "first_name": "first names",
        "nickname": "nicknames",
        "surname": "surnames",
        "first_name+surname": "first names, and surnames behind it",
        "place": "places",
        "street": "streets",
        "organisation": "organisations",
        "abbreviation": "abbreviations of organisations",
        "unit": "units of care",
    },
    "changed_by": {
        "unite": "What was found here overlaps and became one: “{quote}”, {label}.",
        "allow": "What you allow was taken out of it. Left is “{quote}”.",
        "edit.beside": "Of a timestamp or the name of a file, only the date counts. Left is “{quote}”.",
        "edit.url": "A web address identifies nobody. Left is “{quote}”.",
        "edit.flat": "A flat and a floor are no part of an address. Left is “{quote}”.",
        "edit.punctuation": "Punctuation at the edge is no part of it. Left is “{quote}”.",
        "edit.people": "A comma between two people parts them. One is “{quote}”.",
        "edit.listed": "Lists know “{quote}” as one other class: {label}.",
        "join.word": "A name takes in the whole word: “{quote}”.",
        "join.initial": "A capital behind a name belongs to it: “{quote}”.",
        "join.parts": "Parts of one name stand side by side: “{quote}”.",
        "join.again": "“{quote}” is of a name that the message tells elsewhere.",
        "join.title": "A title or kinship word in front of a name belongs to it: “{quote}”.",
        "join.address": "A handle or an address with a name in it is taken whole: “{quote}”.",
    },
    "doubted_by": {
        "edit.beside": "Of a timestamp or the name of a file, only the date counts.",
        "edit.url": "A web address identifies nobody.",
        "edit.flat": "A flat and a floor are no part of an address.",
        "edit.people": "It stands between two people.",
        "doubt.title": "A title alone is no place or organisation.",
        "doubt.form": "It does not have the form of its class.",
        "doubt.lower_case": (
            "A word without a capital that is in no list of names, or is a common word, needs a higher "
            "probability to be a name."
        ),
        "doubt.opening_word": "It is an ordinary word that has its capital from the sentence.",
        "confirm.weak_pattern": (
            "It could as well be a share, a dose or a duration, and the model finds nothing there."
        ),
        "allow": "It stands in your list of what is never replaced.",
    },
    "thought": {
        "pattern": "A pattern took it for: {label} ({score}).",
        "model": "The model took it for: {label} (probability {score}).",
    },
    "no_class": "A pattern says that it is none of the classes: {what}.",
    "no_class_of": {
        "": "something that looks like one",
        "account": "an account",
        "age": "a limit of age, or the age of a thing",
        "case": "a case number",
        "clock": "a time of day",
        "code": "a code",
        "dose": "a dose",
        "duration": "a duration",
        "emergency": "a public short number",
        "every": "how often",
        "floor": "a floor",
        "handle": "a handle",
        "insulin": "a dose",
        "ip": "an IP address",
        "name": "a word that is a name elsewhere",
        "password": "a password",
        "pregnancy": "a week of a pregnancy",
        "queue": "a place in a queue",
        "reference": "a reference number",
        "scale": "a point on a scale",
        "school": "a school class",
        "strength": "the strength of a drug",
        "url": "a web address",
        "value": "a measured value",
    },
}
