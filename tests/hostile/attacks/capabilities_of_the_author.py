# EXPECT: any
# FAMILY: honest but unusual
# STOPPED: 1 bubblewrap, 3 Landlock
# NOTE: what an author's code could do with the engine: no more than a student's
import importlib

for name in (
    "posenc",
    "quizzes",
    "quizzes.grader.case",
    "quizzes.grader.protocol.case",
    "quizzes.grader.protocol.wire",
    "django",
):
    try:
        m = importlib.import_module(name)
        print("HAS", name, getattr(m, "__file__", None))
    except ImportError:
        print("BLOCKED", name)


def pe(n, d):
    return good(n, d)
