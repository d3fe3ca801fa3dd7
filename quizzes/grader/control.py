"""The control socket between a supervisor and its fork server: one JSON object per message."""

from __future__ import annotations

import array
import json
import select
import socket
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from quizzes.grader.errors import SandboxBroken

MESSAGE_BYTES = 64 << 10
_CREDENTIALS = struct.Struct("iII")  # process, user and group number


class Control:
    """Our end. Every failure is SandboxBroken: student code never holds the other end."""

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours

    def send(self, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Sends one message, with descriptors if need be."""
        try:
            socket.send_fds(self._socket, [json.dumps(message).encode()], list(descriptors))
        except OSError as error:
            raise SandboxBroken(f"the fork server does not take orders: {error}") from error

    def has_news(self, seconds: float) -> bool:
        """Whether a message, or the end, arrives in time."""
        return bool(select.select([self._socket], [], [], seconds)[0])

    def receive(self, seconds: float) -> tuple[dict[str, Any], list[int], int]:
        """One message, its descriptors, and the sender's process as this machine sees it."""
        if not self.has_news(seconds):
            raise SandboxBroken(f"the fork server was silent for {seconds:.1f} s")
        space = socket.CMSG_SPACE(4) + socket.CMSG_SPACE(_CREDENTIALS.size)
        try:
            data, ancillary, _, _ = self._socket.recvmsg(MESSAGE_BYTES, space)
        except OSError as error:
            raise SandboxBroken(f"the fork server hung up: {error}") from error
        if not data:
            raise SandboxBroken("the fork server hung up")
        descriptors, pid = array.array("i"), 0
        for _, kind, content in ancillary:
            if kind == socket.SCM_RIGHTS:
                descriptors.frombytes(content)
            elif kind == socket.SCM_CREDENTIALS:
                pid = _CREDENTIALS.unpack(content)[0]
        return json.loads(data), list(descriptors), pid

    def close(self) -> None:
        """Hangs up, upon which the fork server ends."""
        self._socket.close()


def open_control() -> tuple[Control, socket.socket]:
    """Our end, and theirs to be inherited; messages to us carry the sender's process number."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return Control(ours), theirs
