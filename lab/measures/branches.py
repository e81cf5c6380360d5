"""Branches of code that can be switched off one at a time, while the code runs."""

import ast
import gc
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

NAME = "__branch__"


class Branch(NamedTuple):
    """A condition in the code.

    module (str): The module that it stands in.
    line (int): Its first line.
    function (str): The function, with its class.
    condition (str): As it is written.
    """

    module: str
    line: int
    function: str
    condition: str


class Branches:
    """The conditions of a package: of `if`, `elif`, `a if b else c`, of comprehensions, and each of the
    alternatives of an `or` in them. A condition that is switched off is never true.

    package (str): The package. Its modules must be imported already.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self.all: list[Branch] = []
        self.fired: set[int] = set()
        self._off = -1
        codes: dict[tuple[str, str, int], CodeType] = {}
        for module in self._get_modules():
            codes |= self._compile(module)
        for function in self._get_functions():
            own = function.__code__
            code = codes.get((function.__module__, own.co_qualname, own.co_firstlineno))
            if code is not None and code.co_freevars == own.co_freevars:
                function.__globals__[NAME] = self._decide
                function.__code__ = code
        found = (one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper))
        self._cached = [cached for cached in found if self._is_own(cached.__module__)]

    def switch(self, number: int = -1) -> None:
        """Switch one branch off, and all others on; by default, all on.

        number (int): The branch: its place in `all`.
        """
        self._off = number
        self.fired = set()
        for cached in self._cached:
            cached.cache_clear()

    def _decide(self, value: Any, number: int) -> Any:
        if not value:
            return value
        if number == self._off:
            return False
        self.fired.add(number)
        return value

    def _is_own(self, module: str | None) -> bool:
        return module is not None and f"{module}.".startswith(f"{self.package}.")

    def _get_modules(self) -> list[ModuleType]:
        return [module for name, module in sorted(sys.modules.items()) if self._is_own(name)]

    def _get_functions(self) -> list[FunctionType]:
        found = (one for one in gc.get_objects() if isinstance(one, FunctionType))
        return [function for function in found if self._is_own(function.__module__)]

    def _compile(self, module: ModuleType) -> dict[tuple[str, str, int], CodeType]:
        tree = ast.parse(Path(str(module.__file__)).read_bytes())
        marked = ast.fix_missing_locations(_Marker(module.__name__, self.all).visit(tree))
        whole = compile(marked, str(module.__file__), "exec", dont_inherit=True)
        return {
            (module.__name__, code.co_qualname, code.co_firstlineno): code
            for code in _get_codes(whole)
        }


class _Marker(ast.NodeTransformer):
    """Puts each condition of a module through the switch."""

    def __init__(self, module: str, branches: list[Branch]) -> None:
        self.module, self.branches = module, branches
        self.names: list[str] = []

    def _visit_named(self, node: Any) -> Any:
        self.names.append(node.name)
        self.generic_visit(node)
        self.names.pop()
        return node

    visit_FunctionDef = visit_ClassDef = _visit_named

    def _visit_condition(self, node: Any) -> Any:
        node.test = self._mark(node.test)
        self.generic_visit(node)
        return node

    visit_If = visit_IfExp = _visit_condition

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        node.ifs = [self._mark(test) for test in node.ifs]
        self.generic_visit(node)
        return node

    def _mark(self, test: ast.expr) -> ast.expr:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
            test.values = [self._mark(value) for value in test.values]
            return test
        branch = Branch(self.module, test.lineno, ".".join(self.names), ast.unparse(test))
        self.branches.append(branch)
        number = ast.Constant(len(self.branches) - 1)
        call = ast.Call(ast.Name(NAME, ast.Load()), [test, number], [])
        return ast.copy_location(call, test)


def _get_codes(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _get_codes(part)
