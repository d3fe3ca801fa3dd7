"""The text that runs a program inside the sandbox, and the job that carries it there.

It is the job's source, and its one case calls `_run_main`. So the value of the call leaves as the
result of a case does: arrays and tensors as arrays, everything else as the bytes of its `repr`.
Program and call are compiled under names of their own, so a line that is named is the learner's.
The module is `__main__`: what a class of the program looks up by its module is there.
A job whose source has the word torch runs on torch's fork server, so the text avoids that word.
"""

from __future__ import annotations

import secrets

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Limits

MAX_VALUE_TEXT = 4_000
MOST_VALUES = 8  # arrays of one value
ENTRY = "_run_main"
TEXT, REFUSED, VALUE = "out.text", "out.refused", "out.value"  # what a result may be called
_CASE = Case("the program", shown=True)  # what a shown case prints comes back
_RUNNER = f"""
def {ENTRY}():
    import ast, linecache, sys, types
    import numpy as np
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = sys.modules["submission"] = module
    scope = module.__dict__
    def as_bytes(text):
        return np.frombuffer(text[:{MAX_VALUE_TEXT + 1}].encode("utf-8", "replace"), np.uint8)
    def is_array(value):
        library = sys.modules.get("tor" + "ch")
        tensor = library is not None and isinstance(value, library.Tensor)
        return tensor or isinstance(value, np.ndarray)
    def has_arrays(value):
        if isinstance(value, dict):
            value = list(value.values())
        few = isinstance(value, (list, tuple)) and len(value) <= {MOST_VALUES}
        return few and any(is_array(item) for item in value)
    for path, text in ((_PATH, _SOURCE), ("call", _CALL)):
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    program = compile(_SOURCE, _PATH, "exec")
    if not _CALL:
        exec(program, scope)
        return {{}}
    try:
        tree = compile(_CALL, "call", "exec", ast.PyCF_ONLY_AST)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = compile(ast.Expression(tree.body.pop().value), "call", "eval")
        before = compile(tree, "call", "exec")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        said = getattr(error, "msg", None) or type(error).__name__
        return {{"refused": as_bytes(str(said))}}
    exec(program, scope)
    exec(before, scope)
    if last is None:
        return {{}}
    value = eval(last, scope)
    if is_array(value) or has_arrays(value):
        return {{"value": value}}
    return {{"text": as_bytes(repr(value))}}
"""


def program_job(source: str, call: str, *, path: str, limits: Limits) -> Job:
    """Return the job that runs a program and then, where there is one, the call.

    Each has other random numbers: what is drawn without a seed is not the same twice.
    """
    runner = f"_SOURCE, _CALL, _PATH = {source!r}, {call!r}, {path!r}\n{_RUNNER}"
    whole = f"exec(compile({runner!r}, 'runner.py', 'exec'))\n"
    seed = secrets.randbits(31)
    return Job(whole, ENTRY, (_CASE,), limits=limits, filename=path, seed=seed)
