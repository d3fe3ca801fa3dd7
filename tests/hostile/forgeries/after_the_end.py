# FAMILY: frames out of order
# NOTE: an honest run of wrong results, then a second one, right, before the pipe is closed
import atexit, threading


def again():
    for data in run_of(claimed):
        write(data)
    write(frame({"kind": "end"}))


atexit.register(again)
try:
    threading.Timer(0.05, again).start()
except RuntimeError as error:
    print(error)
flush = sys.stdout.flush
print("FORGED", flush=True)
import types


class Stream:
    """The last thing the harness does is flushing; from then on this one writes."""

    calls = 0

    def write(self, text):
        return len(text)

    def flush(self):
        Stream.calls += 1
        if Stream.calls > sum(case["probe"] != "time" for case in CASES):
            again()


sys.stderr = Stream()
