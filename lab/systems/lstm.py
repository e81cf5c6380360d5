"""Bidirectional LSTMs over words and their characters, with or without a conditional random field.

The network is that of Lample et al. (2016), which three of the sources use: Berg and Dalianis (2019,
section 3.2.1; from there Adam, its learning rate and decay, batch, dropout, epochs, patience), Adams
et al. (2019), and Lange, Adel and Strötgen (2019: NLNDE, section 2; from there the 50 dimensions of
the characters and 256 of the LSTM, which here are those of both directions together). What differs:
there are no pretrained word vectors: words learn theirs here, and as Lample et al. have it a word
that was seen once is unknown every other time.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import srsly
import torch
from spacy.util import fix_random_seed
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from components.measures.formats.conll import OUTSIDE
from components.measures.gold import Row
from lab.systems.base import Message, TokenSystem, get_f1
from lab.systems.linear_chain import LinearChain

WORD_WIDTH, CHAR_WIDTH, WIDTH = 100, 50, 256
RATE, DECAY, DROPOUT, PATIENCE = 0.001, 0.9, 0.5, 3
MAX_NORM = 5.0
# Padded tokens in a batch, however few messages that is; and letters of a word that are read
MAX_TOKENS, MAX_LETTERS = 4096, 30
DIGIT = re.compile(r"\d")
UNKNOWN, PADDING = 1, 0
WEIGHTS, INDEX = "weights.pt", "index.json"


class Index(NamedTuple):
    """The numbers of words, letters and tags; 0 is for padding, 1 for what is unknown."""

    words: dict[str, int]
    letters: dict[str, int]
    tags: list[str]

    @classmethod
    def make(cls, messages: Sequence[Message], tags: Sequence[Sequence[str]]) -> "Index":
        """messages (Sequence[Message]): The messages to learn from.
        tags (Sequence[Sequence[str]]): Their tags.
        RETURNS (Index): The numbers.
        """
        words = dict.fromkeys(normalise(word) for message in messages for word in message.words)
        letters = dict.fromkeys(
            char for message in messages for word in message.words for char in word
        )
        found = {tag for own in tags for tag in own} - {OUTSIDE}
        return cls(
            {word: number for number, word in enumerate(words, start=UNKNOWN + 1)},
            {letter: number for number, letter in enumerate(letters, start=UNKNOWN + 1)},
            [OUTSIDE, *sorted(found)],
        )


def normalise(word: str) -> str:
    """word (str): A token.
    RETURNS (str): How its vector is looked up; its letters tell the rest.
    """
    return DIGIT.sub("0", word.lower())


class Batch(NamedTuple):
    """Messages of a like length.

    words (Tensor): Numbers of words: messages, tokens.
    letters (Tensor): Letters of each word that is among them: words, letters.
    sizes (Tensor): How many letters these have.
    places (Tensor): Which of them each token is: messages, tokens.
    lengths (Tensor): How many tokens each message has.
    """

    words: Tensor
    letters: Tensor
    sizes: Tensor
    places: Tensor
    lengths: Tensor


class Network(nn.Module):
    """What the LSTMs say of each tag of each token."""

    def __init__(self, n_words: int, n_letters: int, n_tags: int) -> None:
        super().__init__()
        self.words = nn.Embedding(n_words, WORD_WIDTH, padding_idx=PADDING)
        self.letters = nn.Embedding(n_letters, CHAR_WIDTH // 2, padding_idx=PADDING)
        self.speller = nn.LSTM(
            CHAR_WIDTH // 2, CHAR_WIDTH // 2, bidirectional=True, batch_first=True
        )
        self.reader = nn.LSTM(
            WORD_WIDTH + CHAR_WIDTH, WIDTH // 2, bidirectional=True, batch_first=True
        )
        self.dropout = nn.Dropout(DROPOUT)
        self.output = nn.Linear(WIDTH, n_tags)
        for table in (self.words, self.letters):
            # As Lample et al. have it
            limit = (3 / table.embedding_dim) ** 0.5
            nn.init.uniform_(table.weight[PADDING + 1 :], -limit, limit)

    def forward(self, batch: Batch) -> Tensor:
        letters = pack_padded_sequence(
            self.letters(batch.letters), batch.sizes, batch_first=True, enforce_sorted=False
        )
        _, (ends, _) = self.speller(letters)
        spelled = torch.cat([ends[0], ends[1]], dim=1)[batch.places]
        inputs = self.dropout(torch.cat([self.words(batch.words), spelled], dim=2))
        packed = pack_padded_sequence(inputs, batch.lengths, batch_first=True, enforce_sorted=False)
        read, _ = pad_packed_sequence(self.reader(packed)[0], batch_first=True)
        return self.output(self.dropout(read))


class Lstm(TokenSystem):
    """The system."""

    def __init__(self, *, crf: bool, epochs: int = 20, batch: int = 64) -> None:
        """Create it.

        crf (bool): Whether a conditional random field chooses the tags; else each is chosen alone.
        epochs (int): How often it reads all messages, at most.
        batch (int): How many messages a batch has at most.
        """
        super().__init__()
        self.crf = crf
        self.epochs = epochs
        self.batch = batch
        self.index = Index({}, {}, [OUTSIDE])
        self._make_network()

    def _make_network(self) -> None:
        words, letters, tags = self.index
        self.network = Network(len(words) + 2, len(letters) + 2, len(tags))
        self.chain = LinearChain(len(tags))
        self.parts = nn.ModuleDict({"network": self.network, "chain": self.chain})

    def fit(self, train: Sequence[Row], dev: Sequence[Row], seed: int) -> None:
        fix_random_seed(seed)
        messages, tags = self.read(train)
        self.index = Index.make(messages, tags)
        self._make_network()
        counts = Counter(normalise(word) for message in messages for word in message.words)
        rare = torch.zeros(len(self.index.words) + 2, dtype=torch.bool)
        rare[[number for word, number in self.index.words.items() if counts[word] == 1]] = True
        optimizer = torch.optim.Adam(self.parts.parameters(), lr=RATE)
        schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, DECAY)
        numbers = {tag: number for number, tag in enumerate(self.index.tags)}
        targets = [torch.tensor([numbers[tag] for tag in own]) for own in tags]
        batches = [*self._make_batches(messages)]
        best, best_f1, waited = self._copy_weights(), -1.0, 0
        for _ in range(self.epochs):
            self.parts.train()
            random.shuffle(batches)
            for places, batch in batches:
                forgotten = rare[batch.words] & (torch.rand(batch.words.shape) < 0.5)
                seen = batch._replace(words=batch.words.masked_fill(forgotten, UNKNOWN))
                truth = pad_sequence([targets[place] for place in places], batch_first=True)
                loss = self._get_loss(self.network(seen), truth, batch.lengths)
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.parts.parameters(), MAX_NORM)
                optimizer.step()
            schedule.step()
            f1 = get_f1(self, dev)
            # Until it finds something, nothing can get worse.
            waited = waited + 1 if best_f1 >= f1 > 0 else 0
            if f1 > best_f1:
                best, best_f1 = self._copy_weights(), f1
            if waited == PATIENCE:
                break
        self.parts.load_state_dict(best)

    def _copy_weights(self) -> dict[str, Tensor]:
        return {name: value.clone() for name, value in self.parts.state_dict().items()}

    def _get_loss(self, scores: Tensor, truth: Tensor, lengths: Tensor) -> Tensor:
        if self.crf:
            return self.chain.get_loss(scores, truth, lengths)
        packed = pack_padded_sequence(scores, lengths, batch_first=True, enforce_sorted=False)
        wanted = pack_padded_sequence(truth, lengths, batch_first=True, enforce_sorted=False)
        # A message's sum, as the other's
        return nn.functional.cross_entropy(packed.data, wanted.data, reduction="sum") / len(truth)

    def _make_batches(self, messages: Sequence[Message]) -> Iterator[tuple[list[int], Batch]]:
        """YIELDS (tuple[list[int], Batch]): Messages of a like length, and which they are."""
        order = sorted(range(len(messages)), key=lambda place: len(messages[place].words))
        order = [place for place in order if messages[place].words]
        places: list[int] = []
        for place in order:
            # The next one is the longest.
            full = (len(places) + 1) * len(messages[place].words) > MAX_TOKENS
            if places and (full or len(places) == self.batch):
                yield places, self._make_batch([messages[i].words for i in places])
                places = []
            places.append(place)
        if places:
            yield places, self._make_batch([messages[i].words for i in places])

    def _make_batch(self, texts: Sequence[Sequence[str]]) -> Batch:
        words, letters, _ = self.index
        kinds = {word: i for i, word in enumerate(dict.fromkeys(w for text in texts for w in text))}
        spelled = [
            torch.tensor([letters.get(char, UNKNOWN) for char in word[:MAX_LETTERS]])
            for word in kinds
        ]
        numbers = [
            torch.tensor([words.get(normalise(word), UNKNOWN) for word in text]) for text in texts
        ]
        places = [torch.tensor([kinds[word] for word in text]) for text in texts]
        return Batch(
            pad_sequence(numbers, batch_first=True),
            pad_sequence(spelled, batch_first=True),
            torch.tensor([len(own) for own in spelled]),
            pad_sequence(places, batch_first=True),
            torch.tensor([len(text) for text in texts]),
        )

    @torch.no_grad()
    def tag(self, messages: Sequence[Message]) -> list[list[str]]:
        self.parts.eval()
        tags: list[list[str]] = [[] for _ in messages]
        for places, batch in self._make_batches(messages):
            scores = self.network(batch)
            if self.crf:
                paths = self.chain.find_best(scores, batch.lengths)
            else:
                paths = scores.argmax(2).tolist()
            for place, path in zip(places, paths):
                length = len(messages[place].words)
                tags[place] = [self.index.tags[number] for number in path[:length]]
        return tags

    def to_disk(self, folder: Path) -> None:
        torch.save(self.parts.state_dict(), folder / WEIGHTS)
        srsly.write_json(folder / INDEX, self.index._asdict())

    def from_disk(self, folder: Path) -> None:
        self.index = Index(**srsly.read_json(folder / INDEX))
        self._make_network()
        self.parts.load_state_dict(torch.load(folder / WEIGHTS, weights_only=True))
