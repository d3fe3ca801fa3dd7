"""The fork server: imports once, then forks one locked-down child per job.

Runs inside bubblewrap as `python -m quizzes.grader.inside.fork_server CONTROL_DESCRIPTOR`. Each
message on the control socket (SOCK_SEQPACKET) is one JSON object:

    first, from the supervisor   {"filter", "readable", "preload", "own_path"}
    then, to the supervisor      {"ready": true, "landlock_abi", "seconds"} or {"failed": why}
    per child, from it           {"spawn": id, "limits": {...}} with three descriptors
    per child, to it             {"spawned": id} with a pidfd, later
                                 {"exited": id, "status", "cpu_seconds"}

This process never runs a line of submitted code, and every child is a copy of it. So all that is
dear is done here once, and all that could harm is done here too, before the first fork: modules are
imported and warmed up, the folder with our own files leaves `sys.path`, debuggers are kept out of
its memory. It has one thread, since a fork takes one thread along and the locks of all others as
they are; profiles set the libraries to one thread for this reason.

A page of memory is shared with the children until one of them writes to it. The garbage collector
writes into every object that it looks at, so what is there before the first fork is taken out of
its sight (`gc.freeze`), or the first collection in a child would copy everything.

An order is read whole or not at all (SOCK_SEQPACKET), so that descriptors and the message that
they belong to cannot come apart. A fork that fails (a process limit, no memory) is reported and
not raised: the supervisor decides, and this process goes on serving.
"""

from __future__ import annotations

import array
import gc
import importlib
import json
import os
import select
import socket
import sys
import time
from typing import Any

from quizzes.grader.inside.child import get_ready, live
from quizzes.grader.inside.confine import Confinement
from quizzes.grader.inside.rehearsal import warm_up

MESSAGE_BYTES = 64 << 10
DESCRIPTORS = 3


class ForkServer:
    """Holds the control socket and the children that are still alive."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._nowhere = os.open("/dev/null", os.O_WRONLY | os.O_CLOEXEC)
        self._children: dict[int, tuple[int, int]] = {}  # pidfd -> (pid, id)
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._confinement = self._prepare()

    def serve(self) -> None:
        """Fork on demand and reap as children end, until the supervisor hangs up."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor != self._control.fileno():
                    self._reap(descriptor)
                elif not self._take_order():
                    return

    def _prepare(self) -> Confinement:
        started = time.perf_counter()
        orders = json.loads(self._control.recv(MESSAGE_BYTES))
        confinement = Confinement(bytes.fromhex(orders["filter"]), orders["readable"])
        for name in orders["preload"]:
            self._end_if_nobody_is_there()
            importlib.import_module(name)
        warm_up(orders["preload"])
        get_ready()
        sys.path.remove(orders["own_path"])
        confinement.hide_memory()
        gc.collect()
        gc.freeze()  # a collection in a child would copy every page: 136 ms, 0.07 ms frozen
        seconds = time.perf_counter() - started
        self._say({"ready": True, "landlock_abi": confinement.landlock_abi, "seconds": seconds})
        return confinement

    def _end_if_nobody_is_there(self) -> None:
        """End this process if the supervisor has hung up.

        Bubblewrap that dies before it says so leaves us alone: loading torch takes seconds.
        """
        if any(event & select.POLLHUP for _, event in self._poll.poll(0)):
            raise SystemExit

    def _take_order(self) -> bool:
        message, ancillary, _, _ = self._control.recvmsg(
            MESSAGE_BYTES, socket.CMSG_SPACE(DESCRIPTORS * array.array("i").itemsize)
        )
        if not message:
            return False
        descriptors = array.array("i")
        for level, kind, data in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                descriptors.frombytes(data)
        order = json.loads(message)
        if len(descriptors) < DESCRIPTORS:  # the kernel drops what there is no room for
            for descriptor in descriptors:
                os.close(descriptor)
            self._say({"failed": "too many open files", "id": order["spawn"]})
            return True
        self._spawn(order["spawn"], order["limits"], list(descriptors))
        return True

    def _spawn(self, identity: int, limits: Any, pipes: list[int]) -> None:
        try:
            pid = os.fork()
        except OSError as error:
            self._say({"failed": f"fork: {error}", "id": identity})
            return
        if pid == 0:
            live(pipes, self._nowhere, limits, self._confinement)
        for descriptor in pipes:
            os.close(descriptor)
        pidfd = os.pidfd_open(pid)
        self._children[pidfd] = (pid, identity)
        self._poll.register(pidfd, select.POLLIN)
        socket.send_fds(self._control, [json.dumps({"spawned": identity}).encode()], [pidfd])

    def _reap(self, pidfd: int) -> None:
        pid, identity = self._children.pop(pidfd)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        _, status, used = os.wait4(pid, 0)
        seconds = used.ru_utime + used.ru_stime
        self._say({"exited": identity, "status": status, "cpu_seconds": seconds})

    def _say(self, message: dict[str, Any]) -> None:
        self._control.send(json.dumps(message).encode())


def main() -> None:
    """Serve on the descriptor named by the first argument."""
    control = socket.socket(fileno=int(sys.argv[1]))
    try:
        ForkServer(control).serve()
    except Exception as error:
        control.send(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode())


if __name__ == "__main__":
    main()
