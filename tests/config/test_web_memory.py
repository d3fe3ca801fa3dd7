"""What sign-ins leave in the memory of a web process."""

import subprocess
import sys

from quizzes.learners.password_hasher import DEFAULT_MIB, DEFAULT_PASSES

# Four threads, as many as a web process has, each hash four passwords and end.
HASHING = f"""
import threading
from argon2.low_level import Type, hash_secret

def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def hash_passwords():
    for _ in range(4):
        hash_secret(b"x", b"some salt", {DEFAULT_PASSES}, {DEFAULT_MIB} << 10, 1, 16, Type.ID)

before = used()
threads = [threading.Thread(target=hash_passwords) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print((used() - before) >> 20)
"""


AS_GUNICORN = """
import shutil, sys
sys.path.insert(0, ".")
from quizzes.config import gunicorn
shutil.rmtree(gunicorn.METRICS_FOLDER)
"""


def test_sign_ins_leave_no_memory_behind() -> None:
    command = [sys.executable, "-c", AS_GUNICORN + HASHING]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < int(DEFAULT_MIB)
