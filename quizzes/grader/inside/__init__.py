"""What runs inside the sandbox: fork server, lock-down of a child, harness.

Standard library, numpy and torch only, beside `protocol.wire`, `protocol.case` and the two names by
which authors import `Case`: `ordinal_exercise`, and the older `case`. Nobody outside imports this;
the files are bound read-only at /sandbox.
"""
