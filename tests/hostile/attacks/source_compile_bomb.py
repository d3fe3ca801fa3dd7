# EXPECT: could_not_run limit_reached
# FAMILY: odd sources
# STOPPED: 2 child, 6 limits from outside
exec("x=" + "-" * 200000 + "1")
