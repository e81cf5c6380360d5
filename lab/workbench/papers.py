"""What the papers measured, to stand beside what is measured here: each figure with its source, and with
what differs in the data, so that nobody takes it for a race on one track.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from components.measures.figures import write_share
from training_tools.report.outcome import Table


class Paper(NamedTuple):
    """A paper.

    cite (str): Author and year, as in a text.
    title (str): Its title and where it was published.
    data (str): What it measured on.
    differs (str): What makes its figures another thing than ours.
    """

    cite: str
    title: str
    data: str
    differs: str


class Result(NamedTuple):
    """Figures of one system in a paper.

    paper (str): A key of `PAPERS`.
    where (str): The table or section.
    experiment (str): The command of this project that measures the same.
    system (str): What was measured.
    data (str): On what.
    level (str): What is counted: tokens, entities, messages, …
    figures (Mapping[str, float]): The figures by their names: `F1`, `P`, `R`, …
    """

    paper: str
    where: str
    experiment: str
    system: str
    data: str
    level: str
    figures: Mapping[str, float]


PAPERS = {
    "arvidsson-gerle": Paper(
        "Arvidsson and Gerle 2022",
        "De-identification of Swedish medical chat messages with transformers, Chalmers",
        "real chat messages of one Swedish care platform (Corpus AS: 20,000 sentences, 12,471 entities) "
        "and of another customer (Corpus B: 1,157 entities)",
        "real messages, sentence by sentence, the same eight classes; scores by token, averaged over "
        "classes weighted by their size; PERSON and ORGANISATION are nine tenths of the entities and "
        "few different ones",
    ),
    "grancharova-dalianis": Paper(
        "Grancharova and Dalianis 2021",
        "Applying and sharing pre-trained BERT models for NER in Swedish clinical text, as cited by "
        "Arvidsson and Gerle 2022, 3.1",
        "Stockholm EPR PHI Corpus, patient records",
        "records, not chat; nine classes, guidelines that are not public",
    ),
    "lamproudis": Paper(
        "Lamproudis et al. 2021",
        "Developing a clinical language model for Swedish, as cited by Arvidsson and Gerle 2022, 3.1",
        "Stockholm EPR PHI Corpus, patient records",
        "records, not chat; nine classes",
    ),
    "berg-dalianis": Paper(
        "Berg and Dalianis 2019",
        "Augmenting a de-identification system for Swedish clinical text using open resources and "
        "deep learning, NLP and Pseudonymisation",
        "Stockholm EPR PHI Corpus, patient records of five units, some 200,000 tokens",
        "records, not chat; eight other classes (first and last names apart, companies are places); "
        "cross-validation, of the LSTM three folds of ten",
    ),
    "dalianis": Paper(
        "Dalianis 2019",
        "Pseudonymisation of Swedish electronic patient records using a rule-based approach, NLP and "
        "Pseudonymisation",
        "Stockholm EPR PHI Corpus, patient records",
        "whole records, of which a reader sees far more than of a message; two readers",
    ),
    "anonymate": Paper(
        "Adams et al. 2019",
        "AnonyMate: a toolkit for anonymizing unstructured chat data, NLP and Pseudonymisation",
        "chats of customers with companies in six languages (Swedish: 54,000 sentences)",
        "customer service, not care; many more classes, of persons and of companies",
    ),
    "sanchez": Paper(
        "Sánchez 2020",
        "Multilingual de-identification of electronic health records, Eindhoven",
        "synthetic French, English and Spanish records, 2,111 of them",
        "synthetic records, names alone, other languages",
    ),
    "vicomtech": Paper(
        "García-Pablos et al. 2020",
        "Sensitive data detection and classification in Spanish clinical text: experiments with BERT",
        "NUBes-PHI (32,055 sentences of Spanish reports) and MEDDOCAN",
        "Spanish reports; its tables are not in the text at hand, so only what the text says",
    ),
    "nlnde": Paper(
        "Lange et al. 2019",
        "NLNDE: the neither-language-nor-domain-experts' way of Spanish medical document "
        "de-identification, MEDDOCAN",
        "MEDDOCAN, 5,661 annotations of the test part",
        "Spanish case reports with made-up headers that hold 85 % of the annotations, 22 classes in "
        "use; its sentences were split by a program of its own",
    ),
}


def _prf(p: float, r: float, f: float) -> dict[str, float]:
    return {"P": p, "R": r, "F1": f}


THESIS = "arvidsson-gerle"
# What is counted.
TOKENS, TOKEN_MEANS, ENTITIES = "tokens, weighted", "tokens, mean of classes", "entities"
SPANS, MERGED_SPANS = "spans without class", "merged spans"
AS, B = "Corpus AS", "Corpus B"
EPR, MEDDOCAN = "Stockholm EPR", "MEDDOCAN"

RESULTS: tuple[Result, ...] = (
    # evaluate
    Result(THESIS, "table 5.3", "evaluate", "KB-BERT, threshold .12", AS, TOKENS, _prf(0.947, 0.977, 0.961)),
    Result(THESIS, "table 5.3", "evaluate", "KB-BERT, threshold .12", B, TOKENS, _prf(0.882, 0.896, 0.877)),
    Result(THESIS, "table 5.3", "evaluate", "KB-BERT, threshold .12", AS, TOKEN_MEANS, _prf(0.933, 0.966, 0.948)),
    Result(THESIS, "table 5.3", "evaluate", "KB-BERT, threshold .12", B, TOKEN_MEANS, _prf(0.876, 0.793, 0.813)),
    Result("grancharova-dalianis", "table 3.1", "evaluate", "KB-BERT", EPR, "weighted", _prf(0.922, 0.922, 0.922)),
    Result("lamproudis", "3.1", "evaluate", "clinical KB-BERT", EPR, "weighted", {"F1": 0.925}),
    Result("lamproudis", "3.1", "evaluate", "KB-BERT", EPR, "weighted", {"F1": 0.910}),
    Result("nlnde", "table 1", "evaluate", "BiLSTM-CRF, S3", MEDDOCAN, ENTITIES,
           {**_prf(0.96978, 0.96944, 0.96961), "leak": 0.02299}),
    Result("nlnde", "table 2", "evaluate", "BiLSTM-CRF, S3", MEDDOCAN, SPANS, _prf(0.97508, 0.97474, 0.97491)),
    Result("nlnde", "table 3", "evaluate", "BiLSTM-CRF, S3", MEDDOCAN, MERGED_SPANS, _prf(0.98566, 0.98264, 0.98415)),
    # single-class
    Result(THESIS, "5.1.3", "single-class", "KB-BERT, one class", AS, TOKENS, _prf(0.958, 0.981, 0.969)),
    Result(THESIS, "5.1.3", "single-class", "KB-BERT, one class", B, TOKENS, _prf(0.948, 0.961, 0.955)),
    Result(THESIS, "table 5.3", "single-class", "KB-BERT, eight classes", AS, TOKENS, _prf(0.947, 0.977, 0.961)),
    Result(THESIS, "table 5.3", "single-class", "KB-BERT, eight classes", B, TOKENS, _prf(0.882, 0.896, 0.877)),
    # tune-threshold: on the validation part
    Result(THESIS, "table 5.1", "tune-threshold", "KB-BERT, likeliest class", AS, TOKENS, _prf(0.965, 0.971, 0.969)),
    Result(THESIS, "table 5.2", "tune-threshold", "KB-BERT, threshold .12", AS, TOKENS, _prf(0.953, 0.981, 0.966)),
    # learning-curve
    Result(THESIS, "table 5.5", "learning-curve", "100 % of the training", AS, TOKENS, _prf(0.947, 0.977, 0.961)),
    Result(THESIS, "table 5.5", "learning-curve", "75 %", AS, TOKENS, _prf(0.946, 0.971, 0.958)),
    Result(THESIS, "table 5.6", "learning-curve", "50 %", AS, TOKENS, _prf(0.901, 0.941, 0.919)),
    Result(THESIS, "table 5.6", "learning-curve", "25 %", AS, TOKENS, _prf(0.880, 0.927, 0.900)),
    Result("vicomtech", "results A", "learning-curve", "multilingual BERT, 1 % (230 rows)", "NUBes-PHI", "tokens, one class", {"F1 lost": 0.07}),
    Result("vicomtech", "results A", "learning-curve", "CRF, 1 %", "NUBes-PHI", "tokens, one class", {"F1 lost": 0.32}),
    Result("vicomtech", "results A", "learning-curve", "spaCy, 1 %", "NUBes-PHI", "tokens, one class", {"F1 lost": 0.39}),
    # rules-vs-model
    Result(THESIS, "table 5.7", "rules-vs-model", "KB-BERT on rule-annotated data", AS, TOKENS, _prf(0.956, 0.395, 0.541)),
    Result(THESIS, "table 5.7", "rules-vs-model", "the rules", AS, TOKENS, _prf(0.974, 0.387, 0.535)),
    # compare
    Result(THESIS, "table 5.7", "compare", "rule script", AS, TOKENS, _prf(0.974, 0.387, 0.535)),
    Result(THESIS, "table 5.3", "compare", "KB-BERT", AS, TOKENS, _prf(0.947, 0.977, 0.961)),
    Result("berg-dalianis", "table 4", "compare", "CRF", EPR, ENTITIES, _prf(0.9376, 0.8653, 0.90)),
    Result("berg-dalianis", "table 3", "compare", "BiLSTM", EPR, ENTITIES, _prf(0.8587, 0.8896, 0.87)),
    Result("anonymate", "table 6", "compare", "CRF with embedding clusters, Swedish", "customer chats", ENTITIES, {"F1": 0.765}),
    Result("anonymate", "table 4", "compare", "CRF, English", "customer chats", ENTITIES, {"F1": 0.741}),
    Result("anonymate", "table 4", "compare", "BiLSTM-CRF, English", "customer chats", ENTITIES, {"F1": 0.792}),
    Result("vicomtech", "results A", "compare", "rules and lists", "NUBes-PHI", "tokens, one class", {"P": 0.853, "R": 0.469}),
    Result("vicomtech", "results A", "compare", "multilingual BERT", "NUBes-PHI", "tokens, one class", {"R": 0.979}),
    Result("sanchez", "table 4.1", "compare", "spaCy, blank, French", "synthetic records", ENTITIES, _prf(0.9286, 0.8519, 0.8887)),
    Result("sanchez", "table 4.1", "compare", "spaCy, large vectors, French", "synthetic records", ENTITIES, _prf(0.9183, 0.9272, 0.9227)),
    Result("nlnde", "table 1", "compare", "BiLSTM-CRF, S3", MEDDOCAN, ENTITIES, _prf(0.96978, 0.96944, 0.96961)),
    Result("nlnde", "table 1", "compare", "ensemble of four by weighted votes", MEDDOCAN, ENTITIES, _prf(0.97044, 0.96856, 0.96950)),
    # ablate
    Result("sanchez", "table 4.5", "ablate", "trained on noisy annotation", "synthetic records", ENTITIES, _prf(0.9006, 0.8302, 0.8639)),
    Result("sanchez", "table 4.5", "ablate", "trained on gold annotation", "synthetic records", ENTITIES, _prf(0.9250, 0.8532, 0.8877)),
    Result("sanchez", "table 4.6", "ablate", "names in title case", "synthetic records", ENTITIES, _prf(0.8362, 0.9169, 0.8747)),
    Result("sanchez", "table 4.6", "ablate", "names in lower, upper, title case", "synthetic records", ENTITIES, _prf(0.8834, 0.8881, 0.8858)),
    Result("sanchez", "table 4.8", "ablate", "dropout .2", "synthetic records", ENTITIES, _prf(0.9111, 0.9212, 0.9161)),
    Result("sanchez", "table 4.8", "ablate", "dropout .5", "synthetic records", ENTITIES, _prf(0.9250, 0.8532, 0.8876)),
    # cross-validate
    Result("berg-dalianis", "table 4", "cross-validate", "CRF, records alone", EPR, ENTITIES, _prf(0.9376, 0.8653, 0.90)),
    Result("berg-dalianis", "table 4", "cross-validate", "CRF, more records added", EPR, ENTITIES, _prf(0.9466, 0.8672, 0.91)),
    Result("berg-dalianis", "table 4", "cross-validate", "CRF, SUC added", EPR, ENTITIES, _prf(0.9231, 0.8497, 0.88)),
    Result("berg-dalianis", "table 3", "cross-validate", "BiLSTM, records alone", EPR, ENTITIES, _prf(0.8587, 0.8896, 0.87)),
    Result("berg-dalianis", "table 3", "cross-validate", "BiLSTM, SUC added", EPR, ENTITIES, _prf(0.8478, 0.8544, 0.85)),
    # agreement
    Result(THESIS, "4.3.2.2", "agreement", "two annotators, 500 sentences", "Corpus A", "tokens", {"κ": 0.82}),
    Result("anonymate", "table 3", "agreement", "five annotators, Swedish", "customer chats", "tokens", {"κ": 0.90}),
    # blind-test
    Result("dalianis", "5", "blind-test", "senior reader", EPR, "records", {"P": 0.67, "R": 0.10}),
    Result("dalianis", "5", "blind-test", "junior reader", EPR, "records", {"P": 0.75, "R": 0.08}),
    # train-on-surrogates
    Result("grancharova-dalianis", "table 3.1", "train-on-surrogates", "KB-BERT, trained on originals", EPR, "weighted", {"R": 0.922, "F1": 0.922}),
    Result("grancharova-dalianis", "table 3.1", "train-on-surrogates", "KB-BERT, trained on surrogates", EPR, "weighted", {"R": 0.882, "F1": 0.882}),
)  # fmt: skip


def find_results(experiment: str, *papers: str) -> list[Result]:
    """Find what papers measured.

    experiment (str): The command that measures the same here.
    *papers (str): Only these, keys of `PAPERS`; all of them if none is named.
    RETURNS (list[Result]): Their results, in the order of `RESULTS`.
    """
    return [
        result
        for result in RESULTS
        if result.experiment == experiment and (not papers or result.paper in papers)
    ]


OURS = "ours"


def make_paper_table(experiment: str, *papers: str, ours: Sequence[Result] = ()) -> Table:
    """Make a table of what papers measured, beside the same of this project.

    experiment (str): The command that measures the same here.
    *papers (str): Only these, keys of `PAPERS`.
    ours (Sequence[Result]): What was measured here, its `paper` is `OURS`.
    RETURNS (Table): A row for each result, with where it is from.
    """
    results = [*ours, *find_results(experiment, *papers)]
    measures = list(dict.fromkeys(name for result in results for name in result.figures))
    rows = [
        [
            result.system,
            result.data,
            result.level,
            *(write_share(result.figures.get(name)) for name in measures),
            f"{PAPERS[result.paper].cite}, {result.where}" if result.paper != OURS else OURS,
        ]
        for result in results
    ]
    return Table(
        "Beside the papers" if ours else "In the papers",
        ["system", "data", "counted", *measures, "source"],
        rows,
    )


def tell_differences(results: Sequence[Result]) -> str:
    """Say what makes the figures of papers another thing than ours.

    results (Sequence[Result]): What `find_results` gives.
    RETURNS (str): A sentence for each paper, once.
    """
    papers = [PAPERS[key] for key in dict.fromkeys(result.paper for result in results)]
    return " ".join(
        f"{paper.cite}: {paper.data}; what differs: {paper.differs}." for paper in papers
    )
