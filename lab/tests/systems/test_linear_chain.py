"""The conditional random field against all paths, one by one."""

from itertools import pairwise, product

import pytest
import torch

from lab.systems.linear_chain import LinearChain


@pytest.fixture(params=range(5))
def case(request):
    torch.manual_seed(request.param)
    chain = LinearChain(3)
    for parameter in chain.parameters():
        torch.nn.init.normal_(parameter)
    return chain, torch.randn(3, 4, 3), torch.tensor([4, 1, 3])


def list_paths(chain, scores, length):
    """The score of each sequence of tags, summed up term by term."""
    paths = {}
    for path in product(range(3), repeat=length):
        total = chain.begin[path[0]] + chain.end[path[-1]]
        total = total + sum(scores[place, tag] for place, tag in enumerate(path))
        total = total + sum(chain.transitions[pair] for pair in pairwise(path))
        paths[path] = total.item()
    return paths


def test_sum_best_and_loss(case):
    chain, scores, lengths = case
    all_paths = [list_paths(chain, own, length) for own, length in zip(scores, lengths.tolist())]
    sums = [torch.logsumexp(torch.tensor([*paths.values()]), 0) for paths in all_paths]
    torch.testing.assert_close(chain.sum_paths(scores, lengths), torch.stack(sums))
    best = [max(paths, key=paths.__getitem__) for paths in all_paths]
    assert chain.find_best(scores, lengths) == [list(path) for path in best]
    tags = torch.tensor([[2, 0, 1, 1], [1, 0, 0, 0], [0, 2, 2, 0]])
    own = [paths[tuple(tags[i, : lengths[i]].tolist())] for i, paths in enumerate(all_paths)]
    torch.testing.assert_close(chain.score_path(scores, tags, lengths), torch.tensor(own))
    wanted = (torch.stack(sums) - torch.tensor(own)).mean()
    torch.testing.assert_close(chain.get_loss(scores, tags, lengths), wanted)


def test_padding_does_not_count(case):
    chain, scores, lengths = case
    other = scores.clone()
    other[1, 1:], other[2, 3:] = 99.0, -99.0
    tags = torch.zeros(3, 4, dtype=torch.long)
    changed = tags.clone()
    changed[1, 1:], changed[2, 3:] = 2, 1
    assert chain.find_best(other, lengths) == chain.find_best(scores, lengths)
    torch.testing.assert_close(
        chain.get_loss(other, changed, lengths), chain.get_loss(scores, tags, lengths)
    )


def test_a_batch_of_single_tokens(case):
    chain, scores, _ = case
    paths = chain.find_best(scores[:, :1], torch.tensor([1, 1, 1]))
    best = (scores[:, 0] + chain.begin + chain.end).argmax(1)
    assert paths == [[tag] for tag in best.tolist()]
