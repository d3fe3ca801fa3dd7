# EXPECT: limit_reached
# FAMILY: time
# STOPPED: 6 limits from outside
while True:
    pass
