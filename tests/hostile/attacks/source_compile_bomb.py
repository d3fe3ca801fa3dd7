# EXPECT: could_not_run limit_reached
exec("x=" + "-" * 200000 + "1")
