"""A linear-chain conditional random field on top of a network.

Lafferty, McCallum and Pereira (2001): Conditional random fields; as an output layer: Lample et al.
(2016): Neural architectures for named entity recognition, section 2.2.
"""

import torch
from torch import Tensor, nn


class LinearChain(nn.Module):
    """Scores of sequences of tags: what the network says of each tag, and how well neighbours go
    together. Messages of a batch are padded: what lies behind a message's length does not count.

    n_tags (int): How many tags there are.
    """

    def __init__(self, n_tags: int) -> None:
        super().__init__()
        # From tag (row) to tag (column)
        self.transitions = nn.Parameter(torch.zeros(n_tags, n_tags))
        self.begin = nn.Parameter(torch.zeros(n_tags))
        self.end = nn.Parameter(torch.zeros(n_tags))

    def get_loss(self, scores: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """scores (Tensor): What the network says: messages, tokens, tags.
        tags (Tensor): The true tags: messages, tokens.
        lengths (Tensor): How many tokens each message has, one at least.
        RETURNS (Tensor): The negative logarithm of their probability, a message on average.
        """
        total = self.sum_paths(scores, lengths) - self.score_path(scores, tags, lengths)
        return total.mean()

    def score_path(self, scores: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """Score one sequence of tags each.

        scores, tags, lengths (Tensor): See `get_loss`.
        RETURNS (Tensor): The score of each message's tags.
        """
        inside = get_mask(lengths, scores.shape[1])
        own = scores.gather(2, tags.unsqueeze(2)).squeeze(2)
        moves = self.transitions[tags[:, :-1], tags[:, 1:]]
        last = tags.gather(1, (lengths - 1).unsqueeze(1)).squeeze(1)
        ends = self.begin[tags[:, 0]] + self.end[last]
        return (own * inside).sum(1) + (moves * inside[:, 1:]).sum(1) + ends

    def sum_paths(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """Sum over all sequences of tags: the forward algorithm.

        scores, lengths (Tensor): See `get_loss`.
        RETURNS (Tensor): For each message the logarithm of the sum of their exponentials.
        """
        inside = get_mask(lengths, scores.shape[1])
        sums = self.begin + scores[:, 0]
        for i in range(1, scores.shape[1]):
            step = torch.logsumexp(sums.unsqueeze(2) + self.transitions, dim=1) + scores[:, i]
            sums = torch.where(inside[:, i].unsqueeze(1), step, sums)
        return torch.logsumexp(sums + self.end, dim=1)

    @torch.no_grad()
    def find_best(self, scores: Tensor, lengths: Tensor) -> list[list[int]]:
        """Find the best sequence of tags of each message: the Viterbi algorithm.

        scores, lengths (Tensor): See `get_loss`.
        RETURNS (list[list[int]]): The tags.
        """
        inside = get_mask(lengths, scores.shape[1])
        best = self.begin + scores[:, 0]
        came_from = []
        for i in range(1, scores.shape[1]):
            step, before = (best.unsqueeze(2) + self.transitions).max(dim=1)
            best = torch.where(inside[:, i].unsqueeze(1), step + scores[:, i], best)
            came_from.append(before)
        last = (best + self.end).argmax(dim=1).tolist()
        before_all = torch.stack(came_from).tolist() if came_from else []
        paths = []
        for row, (tag, length) in enumerate(zip(last, lengths.tolist())):
            path = [tag]
            for before in reversed(before_all[: length - 1]):
                path.append(before[row][path[-1]])
            paths.append(path[::-1])
        return paths


def get_mask(lengths: Tensor, size: int) -> Tensor:
    """lengths (Tensor): How many tokens each message has.
    size (int): How many the batch has places for.
    RETURNS (Tensor): Which places hold tokens: messages, tokens.
    """
    return torch.arange(size) < lengths.unsqueeze(1)
