"""What runs inside the sandbox: fork server, lock-down of a child, harness.

Standard library, numpy and torch only, beside `quizzes.grader.wire` and `quizzes.grader.case`.
Nobody outside imports this; the files are bound read-only at /sandbox.
"""
