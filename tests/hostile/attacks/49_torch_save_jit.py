# EXPECT: any
# FAMILY: honest but unusual
# STOPPED: 4 system-call filter, 3 Landlock
# NEEDS: torch
# NOTE: torch features that spawn compilers / share memory
import torch, io


def pe(n, d):
    b = io.BytesIO()
    torch.save({"a": torch.ones(2)}, b)
    b.seek(0)
    torch.load(b)
    print(
        "jit.script works:", hasattr(torch.jit.script(torch.nn.Linear(2, 2)), "graph")
    ) or attempt("noop", lambda: 1 / 0) or (lambda: torch.jit.script(torch.nn.Linear(2, 2)))
    attempt("torch.compile", lambda: torch.compile(lambda x: x + 1)(torch.ones(2)))
    attempt(
        "cpp ext",
        lambda: __import__("torch.utils.cpp_extension").utils.cpp_extension.load_inline(
            "x", "int f(){return 1;}"
        ),
    )
    attempt("from_file shared", lambda: torch.from_file("/sandbox/x", shared=True, size=10))
    attempt("share_memory_", lambda: torch.ones(4).share_memory_())
    return good(n, d)
