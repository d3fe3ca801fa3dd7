"""Frames out of a result while its bytes arrive, so that little is left to do at its end."""

from __future__ import annotations

from quizzes.grader.wire import BadFrame, Bounds, Frame, decode, frame_length

ASKS_FOR_HIDDEN = "hidden"  # the kind of the frame that says the shown cases are done


class FrameStream:
    """`frames` so far; `defect` says why there will be no more, "" while there may be.

    `asks_for_hidden`: a frame has said that the shown cases are done.
    """

    def __init__(self, bounds: Bounds, most_frames: int) -> None:
        self.frames: list[Frame] = []
        self.defect = ""
        self.asks_for_hidden = False
        self._bounds = bounds
        self._most_frames = most_frames
        self._rest = bytearray()

    def feed(self, data: bytes) -> None:
        """Takes the next bytes, cut anywhere; none are looked at after a defect."""
        if self.defect:
            return
        self._rest += data
        try:
            while frame := self._next():
                self.frames.append(frame)
                self.asks_for_hidden |= frame.header.get("kind") == ASKS_FOR_HIDDEN
        except BadFrame as error:
            self.defect = str(error)
            self._rest.clear()

    def _next(self) -> Frame | None:
        with memoryview(self._rest) as view:
            length = frame_length(view, self._bounds)
            if length is None or length > len(view):
                return None
            whole = bytes(view[:length])
        if len(self.frames) == self._most_frames:
            raise BadFrame(f"there are more than {self._most_frames} frames")
        del self._rest[:length]
        return decode(whole, self._bounds)
