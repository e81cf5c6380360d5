"""The command in a process of its own, over a pipeline of rules and lists: the same text gives the same
spans in whatever batch it is read.
"""

import gc
import json
import os
import signal
import sys
import time
from contextlib import suppress

import pytest
import spacy

from components.cli.app import main
from components.conversations.configuration import SETTINGS, _get_pipe
from components.runs import index
from components.runs.blocks import Work
from components.surrogates.surrogate_generator import read_key

KEY = "a key that no file may hold"


class Run:
    """The command, forked off: a process that can be stopped, and its standard streams in files.

    args (Sequence[object]): Its arguments.
    load (Callable[[], Language]): Loads the pipeline.
    folder (Path): Where it runs.
    rows (int): Rows of a block.
    pause (float): Seconds that each block takes.
    key (str): SV_DEID_KEY; empty for none.
    stdin (int | None), stdout (int | None): Open files; None: nothing, and a file.
    """

    def __init__(self, args, load, folder, rows=5, pause=0.0, key=KEY, stdin=None, stdout=None):
        self._said = folder.parent / f"{folder.name}-said"
        self.code = None
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            self._go([*map(str, args)], load, folder, rows, pause, key, stdin, stdout)

    def _go(self, args, load, folder, rows, pause, key, stdin, stdout):
        code = 99
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.chdir(folder)
            os.environ.pop("SV_DEID_KEY", None)
            os.environ.update({"SV_DEID_KEY": key} if key else {})
            said = os.open(self._said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            nothing = os.open(os.devnull, os.O_RDONLY)
            for number, file in enumerate((stdin or nothing, stdout or said, said)):
                os.dup2(file, number)
            # What the tests before have left open would close the numbers of files that are new here.
            gc.freeze()
            os.closerange(3, 200)
            sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
            index.BLOCK_ROWS = rows
            do = Work.do

            def do_slowly(work, processor):
                time.sleep(pause)
                return do(work, processor)

            Work.do = do_slowly
            sys.argv = ["sv_deid_chat", *args]
            try:
                main(load, "run")
            except SystemExit as end:
                code = end.code
                sys.stdout.flush()
        except BaseException as error:  # noqa: BLE001
            print(f"Traceback: {error!r}", file=sys.stderr)
        finally:
            with suppress(BaseException):
                sys.stderr.flush()
            os._exit(code)

    @property
    def said(self):
        return self._said.read_text(encoding="utf8")

    def wait(self):
        """RETURNS (int): Its exit code; the signal that ended it, less than 0."""
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def stop(self, number=signal.SIGKILL):
        """Send it a signal, and wait for its end."""
        os.kill(self.pid, number)
        return self.wait()

    def wait_for(self, condition):
        end = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < end, self.said
            time.sleep(0.003)


@pytest.fixture(scope="session")
def quick_nlp(tiny_path):
    """The tiny pipeline without its model."""
    nlp = spacy.load(tiny_path, exclude=["transformer", "phi_ner"])
    generator = nlp.get_pipe("surrogate_generator")
    # Always the same surrogates: by another key two may be alike.
    generator.required, generator._key = [], b"a key for the tests"
    return nlp


@pytest.fixture(scope="session")
def loaded_nlp(tiny_path):
    return spacy.load(tiny_path)


@pytest.fixture
def load(loaded_nlp):
    """As good as loading the tiny pipeline again: with the key of the environment, and nothing set of it."""
    # The mode is only a name of a threshold.
    pipes = {name: _get_pipe(loaded_nlp, name) for name in SETTINGS if name != "mode"}
    before = {name: getattr(pipe, name) for name, pipe in pipes.items()}

    def load_again():
        loaded_nlp.get_pipe("surrogate_generator")._key = read_key()
        for name, value in before.items():
            setattr(pipes[name], name, value)
        return loaded_nlp

    yield load_again
    load_again()


@pytest.fixture
def in_path(tmp_path):
    return tmp_path / "in.jsonl"


@pytest.fixture
def out_path(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.fixture
def start(quick_nlp, tmp_path):
    """Starts the command; what is still running at the end is killed, with its own processes."""
    started = []

    def start_command(*args, load=lambda: quick_nlp, **options):
        run = Run(args, load, tmp_path, **options)
        started.append(run)
        return run

    yield start_command
    for run in started:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        if run.code is None:
            run.wait()


@pytest.fixture
def finish(start):
    """Runs the command to its end: exit code, and what it says."""

    def run_command(*args, **options):
        run = start(*args, **options)
        return run.wait(), run.said

    return run_command


def make_rows(n, n_conversations=10):
    """Messages of conversations that are mixed with each other, in which people are named."""
    names = ["Anna Lind", "Bo Ek", "Eva Berg", "Lars Wik", "Karin Sjö"]
    return [
        {
            "id": i,
            "conversation": f"c{i * 7 % n_conversations}",
            "text": f"Hej {names[i % 5]}, ring 070-174 06 {i % 90 + 10} eller hälsa {names[i % 3]}",
        }
        for i in range(n)
    ]


def write_jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
    return path


def read_jsonl(path):
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def set_run(folder, *lines):
    """Write a file of settings with a table [run], and give the option that names it."""
    (folder / "run.toml").write_text("\n".join(["[run]", *lines]), encoding="utf8")
    return ["--config", folder / "run.toml"]
