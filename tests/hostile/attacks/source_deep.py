# EXPECT: could_not_run
eval("(" * 100000)
