"""The words of the annotation in English."""

from typing import Any

from ..measures.evaluation import HEADLINES

WORDS: dict[str, Any] = {
    "skip_link": "To the content",
    "pages": "Pages",
    "overview": "Overview",
    "annotate": "Annotate",
    "messages": "Messages",
    "search": "Search",
    "settle": "Settle",
    "guidelines": "Guidelines",
    "language": "Language",
    "annotator": "Annotator",
    "statuses": {"open": "open", "done": "done", "doubtful": "doubtful", "skipped": "skipped"},
    # Overview
    "finished": "{done} of {n} messages",
    "all_finished": "All messages are finished.",
    "skipped_left": ("Go through {n} skipped message", "Go through {n} skipped messages"),
    "settle_differences": "Settle differences",
    "begin": (
        "How to begin: press Annotate. Mark each name, number and the like that is of a class: "
        "click on its words, then on the class. Press Enter when the message is done, and the "
        "next one comes. All is saved at once."
    ),
    "annotators": "Annotators",
    "name": "name",
    "messages_a_minute": "messages a minute",
    "sentences_a_minute": "sentences a minute",
    "somebody_else": "Annotate as somebody else",
    "name_help": "Letters, digits, spaces, dots and hyphens",
    "go": "go",
    "agreement": "Agreement",
    "agreed_on": (
        "{n} messages that two or more have finished; {disputed} with differences, {settled} of them "
        "settled. In brackets: 95 % intervals."
    ),
    "agreement_help": (
        "Per cent: how much of what two have marked is the same. κ (kappa): agreement beyond "
        "chance; 1 is full agreement, 0 is as by chance."
    ),
    "no_agreement": "No message is finished by two annotators yet.",
    "kappa": "κ, words",
    "token_f": "F1, words",
    "entity_f": "F1, marks",
    "all_classes": "all",
    "export": "Download",
    "whose": "Whose",
    "settled": "settled",
    "format": "Format",
    "with_doubtful": "doubtful ones, too",
    "download": "download",
    "export_help": (
        "What is downloaded HOLDS personal information. Settled: what all agree on or somebody has "
        "decided, with who did; a message that only one has finished is taken as it is."
    ),
    "measure": "Measure the pipeline",
    "measure_on": "On the messages of",
    "measure_go": "measure",
    "measure_help": "It may take a few minutes.",
    "measured_on": "On {n} messages of {whose}:",
    "nothing_finished": "Nothing is finished yet that could be measured on.",
    "headlines": HEADLINES,
    "measure_failed": (
        "This cannot be measured on. See that the texts are unchanged and that the pipeline can "
        "read them."
    ),
    "measures_help": (
        "In brackets: between which values the true one most likely lies (95 %). Without brackets "
        "there are too few messages to say."
    ),
    "measures": "Measures by class",
    "class": "class",
    "precision": "of what the pipeline marks: right",
    "recall": "of what is to be marked: found exactly",
    "redact": "hidden wholly",
    "spans": "marks",
    "train": "Train with it",
    "train_help": (
        "Those who train the pipeline download JSONL, put the file into the folder of the project, and run:"
    ),
    # Messages
    "all": "all",
    "listed": "{n} messages, in the order of annotation",
    "message": "message",
    "status": "status",
    "marks": "marks",
    "begins": "begins",
    "comment": "comment",
    "earlier": "earlier",
    "later": "later",
    "page_of": "page {page} of {n}",
    # A message
    "message_n": "Message {n}",
    "progress": "Finished messages",
    "speed": "{messages} messages, {sentences} sentences a minute",
    "said_before": "Said before",
    "said": "said",
    "open_said": "Open the message said before",
    "authors": {"patient": "patient", "caregiver": "caregiver"},
    "in_place": (
        "Click on a word and choose a class, or press the key of the class. Dashed is suggested. "
        "Enter: done, next message. ?: all keys."
    ),
    "text_help": "The message. Arrows move by word, letters name a class, question mark shows all keys.",
    "untouched": "Not touched yet",
    "saved": "Saved",
    "to_undo": "{n} to undo",
    "to_redo": "{n} to redo",
    "warnings": "Warnings",
    "suggested": "suggested",
    "remove": "Remove the mark on {words}",
    "nothing_marked": "Nothing is marked.",
    "not_marked": "not marked",
    "no_words": "There is no word.",
    "not_saved": "NOT SAVED:",
    "unreachable": "the server does not answer. Start it again; what was saved is there.",
    "restarted": "the server was started anew. Open the address that it has printed.",
    "refused": "the server refuses it ({status}). Load the page again.",
    "changed": (
        "This message was changed in another window. What you see is how it is now: look, and do it again."
    ),
    "classes": "Classes",
    "no_mark": "no mark",
    "done_next": "accept all, next",
    "undo": "undo",
    "redo": "redo",
    "accept": "accept all",
    "skip": "skip",
    "doubtful": "doubtful …",
    "open_again": "open again",
    "extend": "extend",
    "back": "back",
    "forward": "forward",
    "keys": "keys",
    "help": "Help for this message",
    "history": "How it was annotated before",
    "history_help": "Select words, and press",
    "look_up": "look it up",
    "find": "find in all messages",
    "no_history": "in no message that is finished.",
    "doubt": "What is doubtful?",
    "doubt_help": "A comment, for those who settle it",
    "doubt_save": "save, next",
    "cancel": "cancel",
    "close": "close",
    "or": "or",
    "key_help": {
        "move": "the word or mark before, behind",
        "extend": "one word less, more",
        "begin": "begin a letter earlier, later",
        "end": "end a letter earlier, later",
        "jump": "the mark before, behind",
        "edges": "the first, the last word",
        "erase": "no mark",
        "undo": "undo, redo; on an untouched message: back to the one before",
        "accept": "accept all that is suggested",
        "done": "accept all, done, next message",
        "skip": "skip, next message",
        "doubtful": "doubtful, with a comment, next message",
        "open": "open again: not done, skipped or doubtful",
        "walk": "back, forward, nothing changed",
        "look": "how it was annotated before; find it in all messages; guidelines",
    },
    # Search
    "search_help": "Word or regular expression, over all messages; capitals make no difference",
    "whole_words": "whole words",
    "search_go": "find",
    "made": ("{n} mark was made.", "{n} marks were made."),
    "take_back": "take it back",
    "taken_back": ("{n} message is as it was.", "{n} messages are as they were."),
    "hits": ("{n} hit", "{n} hits"),
    "hits_shown": "the first {n} are shown",
    "mark_like": "Mark all {n} like this, where nothing is marked yet",
    "mark_all": "mark all",
    # Settling
    "settle_n": "Settle message {n}",
    "settle_at": "{at} of {n} messages with differences · {left} left",
    "nobody": "nobody",
    "nothing": "nothing",
    "decided_by": "decided by {name}; another choice takes its place",
    "settle_help": "A number takes a choice of the first open difference.",
    "settle_edit": "mark it yourself",
    "settle_edit_help": (
        "Mark the message as it is to be. Dashed: not decided yet. Enter makes it the settled answer, "
        "decided by {name}."
    ),
    "settle_done": "this is the settled answer",
    "errors": {
        "no_word": "There is no word to mark.",
        "no_class": "There is no such class.",
        "no_status": "There is no such status.",
        "unseen": "The message has hardly been on screen: read it first.",
        "no_action": "There is no such action.",
        "no_choice": "There is nothing of that kind to decide.",
        "no_regex": "This is no regular expression: ( [ and \\ have a meaning. Write \\( for a bracket.",
        "runaway": "This takes too long on a message: write a simpler one.",
        "slow": "This takes too long on all messages: write a simpler one.",
    },
    "checks": {
        "space": "It has white space at an edge.",
        "within": "It begins or ends within a word: whole words are marked.",
        "first_sign": "It begins with a sign that is no part of the name or number.",
        "last_sign": "It ends with a sign that is no part of the name or number.",
        "digits": "Such a number has digits.",
        "short": "Public short numbers are not a phone number.",
        "at": "An e-mail address has an @.",
        "article": "The article (den) is outside a date.",
        "weekday": "A weekday alone is not a date.",
        "possessive": "A possessive (min, hennes) is outside a person.",
        "kinship": "A kinship word or title right in front of a name is part of it: “mamma Karin”.",
        "unmarked": "The same words are marked elsewhere in this message.",
    },
}
