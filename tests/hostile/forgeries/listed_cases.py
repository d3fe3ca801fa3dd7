# FAMILY: frames of other tasks
# NOTE: says what only an author's run says
plain = {"label": "mine", "kwargs": {}, "init": None, "probe": "call"}
flags = dict.fromkeys(("shown", "identify", "raises"), False)
tell(claimed, before=[{"kind": "listed", "cases": [{**plain, **flags}] * 50}])
