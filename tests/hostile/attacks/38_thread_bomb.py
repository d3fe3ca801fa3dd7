# EXPECT: correct
# FAMILY: processes and threads
# STOPPED: 4 system-call filter, 2 child
import threading, time


def pe(n, d):
    k = 0
    try:
        for i in range(5000):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            k += 1
    except RuntimeError as e:
        print("BLOCKED threads after", k, e)
    else:
        print("LEAK 5000 threads")
    return good(n, d)
