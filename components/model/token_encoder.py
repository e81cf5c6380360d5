"""The network of the encoder: a BERT that gives a vector for each token instead of each word piece."""

from collections.abc import Sequence

import torch
from tokenizers import Tokenizer

from .bert import Bert
from .packing import Batch, count_pieces, get_strips
from .precision import FULL, choose_precision, reduce_precision
from .windows import Window


class TokenEncoder(torch.nn.Module):
    """A BERT, and the mean of its vectors over the word pieces of each token.

    The evidence of a token (what rules and lists say) may be added to the embeddings of its pieces,
    so that all layers read it (lexicon features as in Liu et al. 2021, Lexicon Enhanced Chinese
    Sequence Labeling Using BERT Adapter, where they come in between two layers).

    bert (Bert): The network.
    tokenizer (Tokenizer): Cuts a text into word pieces.
    evidence (torch.Tensor | None): Weights that embed the evidence, shape (width, WIDTH). None to
        read no evidence.
    """

    def __init__(
        self, bert: Bert, tokenizer: Tokenizer, evidence: torch.Tensor | None = None
    ) -> None:
        super().__init__()
        self.bert = bert
        self.tokenizer = tokenizer
        self.evidence: torch.nn.Linear | None = None
        if evidence is not None:
            width, columns = evidence.shape
            self.evidence = torch.nn.Linear(columns, width, bias=False)
            self.evidence.weight.data = evidence.float()
        self.set_precision(FULL)
        # These are state of the tokenizer: setting them for each text would need a lock.
        tokenizer.no_padding()
        tokenizer.no_truncation()

    def set_precision(self, precision: str) -> None:
        """precision (str): With how many bits to predict, see `components.model.precision`."""
        precision = choose_precision(precision, next(self.bert.parameters()).device)
        reader = self.bert if precision == FULL else reduce_precision(self.bert, precision)
        # Inside a tuple it is not one of the modules that are trained, saved and moved.
        self._reader = (reader,)

    @property
    def reader(self) -> Bert:
        """RETURNS (Bert): The network that predicts."""
        return self._reader[0]

    def forward(
        self, batches: Sequence[Batch], counts: torch.Tensor, evidence: torch.Tensor
    ) -> torch.Tensor:
        """Compute the vectors in training.

        batches (Sequence[Batch]): The windows.
        counts (torch.Tensor): The number of pieces of each token, shape (n_tokens,).
        evidence (torch.Tensor): The evidence of the tokens, shape (n_tokens, WIDTH).
        RETURNS (torch.Tensor): The mean of each token, shape (n_tokens, width).
        """
        embedded = self._embed(evidence)
        sums = counts.new_zeros((len(counts), self.bert.width))
        for batch in batches:
            ids, tokens = batch.ids, batch.tokens
            added = _add_to_pieces(embedded, batch.pieces, tokens, ids.numel())
            if added is not None:
                added = added.view(*ids.shape, -1)
            hidden = self.bert(ids, batch.positions, batch.mask, added).flatten(0, 1).float()
            sums = sums.index_add(0, tokens, hidden[batch.pieces])
        return sums / counts.clamp(min=1).unsqueeze(1)

    def predict(
        self, windows: Sequence[Window], evidence: torch.Tensor, max_pieces: int
    ) -> torch.Tensor:
        """Compute the vectors without padding. Nothing of the network changes: any number of threads
        may call this at once.

        windows (Sequence[Window]): The windows.
        evidence (torch.Tensor): The evidence of all their tokens, shape (n_tokens, WIDTH).
        max_pieces (int): The most word pieces that are read in one go.
        RETURNS (torch.Tensor): The vectors of the tokens, shape (n_tokens, width).
        """
        if self.training:
            # After a training only: a loaded network never trains.
            self.eval()
        device = next(self.parameters()).device
        n_tokens = len(evidence)
        counts = torch.from_numpy(count_pieces(windows, n_tokens)).to(device)
        bert = self.reader
        vectors = torch.zeros((n_tokens, bert.width), dtype=torch.float32, device=device)
        with torch.no_grad():
            embedded = self._embed(evidence.to(device))
            for strip in get_strips(windows, max_pieces):
                pieces, tokens = (torch.from_numpy(one).to(device) for one in strip[2:])
                added = _add_to_pieces(embedded, pieces, tokens, len(strip.ids))
                hidden = bert.read(torch.tensor(strip.ids, device=device), strip.lengths, added)
                vectors.index_add_(0, tokens, hidden[pieces].float())
        return vectors / counts.clamp(min=1).unsqueeze(1)

    def _embed(self, evidence: torch.Tensor) -> torch.Tensor | None:
        return None if self.evidence is None else self.evidence(evidence).float()


def _add_to_pieces(
    embedded: torch.Tensor | None, pieces: torch.Tensor, tokens: torch.Tensor, n_pieces: int
) -> torch.Tensor | None:
    """Give each word piece the sum of the embedded evidence of its tokens, shape (n_pieces, width)."""
    if embedded is None:
        return None
    return embedded.new_zeros((n_pieces, embedded.shape[1])).index_add(0, pieces, embedded[tokens])
