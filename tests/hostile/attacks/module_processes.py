# EXPECT: any
# FAMILY: modules: files, processes, memory
# STOPPED: 4 system-call filter, 2 child
# NEEDS: torch
# KIND: module
# PRINTS: BLOCKED
import torch.multiprocessing as processes
from torch.utils.data import DataLoader


def say():
    print("LEAK another process")


attempt("spawn", lambda: processes.spawn(say, nprocs=1))
attempt("fork", lambda: processes.get_context("fork").Process(target=say).start())
attempt("pool", lambda: processes.Pool(2).map(abs, [1]))
attempt("loader", lambda: list(DataLoader([torch.ones(1)] * 4, num_workers=2)))
attempt("share", lambda: torch.ones(4).share_memory_())
attempt("compile", lambda: torch.compile(lambda x: x.sin() + 1)(torch.ones(3)))


class Enc(Good):
    pass
