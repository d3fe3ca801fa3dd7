# EXPECT: correct
# FAMILY: modules: files, processes, memory
# STOPPED: 1 bubblewrap, 3 Landlock, 4 system-call filter
# NEEDS: torch
# KIND: module
# PRINTS: BLOCKED
from torch.utils import cpp_extension

attempt("save", lambda: torch.save(torch.ones(1), "/tmp/pwned.pt"))
attempt("save here", lambda: torch.save(torch.ones(1), "pwned.pt"))
attempt("load", lambda: torch.load("@CANARY@/secret.txt", weights_only=False))
attempt("map", lambda: torch.from_file("@CANARY@/secret.txt", size=8, dtype=torch.uint8))
attempt("shared", lambda: torch.UntypedStorage.from_file("@CANARY@/PWNED", True, 64))
attempt("library", lambda: torch.ops.load_library("@CANARY@/secret.txt"))
attempt("module", lambda: torch.jit.load("@CANARY@/secret.txt"))
attempt("hub", lambda: torch.hub.load("pytorch/vision", "resnet18"))
attempt("build", lambda: cpp_extension.load_inline("x", "int f() { return 1; }", functions="f"))
attempt("profile", lambda: torch.profiler.profile().__enter__().export_chrome_trace("/tmp/t.json"))


class Enc(Good):
    pass
