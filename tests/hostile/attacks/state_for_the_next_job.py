# EXPECT: correct could_not_run
# FAMILY: the next job
# STOPPED: 2 child
# NOTE: whatever it leaves behind in its own process is gone with it
import builtins, math, os, random, sys, warnings

table = {(n, d): good(n, d) for n, d in ((2, 4), (5, 6), (9, 8), (64, 32))}


def pe(n, d):
    return table[n, d]


for module in (np, math, random):
    for name in ("sin", "cos", "arange", "power", "exp", "outer", "zeros", "empty"):
        setattr(module, name, None)
builtins.range = builtins.sum = builtins.float = lambda *a: 42
os.environ["OMP_NUM_THREADS"] = "64"
sys.path.insert(0, "/tmp")
sys.modules["numpy.linalg"] = sys.modules["math"] = None
warnings.simplefilter("error")
sys.setrecursionlimit(50000)
np.seterr(all="raise")
np.set_printoptions(threshold=1)
