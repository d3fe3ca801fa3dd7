# EXPECT: could_not_run
# FAMILY: odd sources
# STOPPED: 2 child, 6 limits from outside
eval("(" * 100000)
