# EXPECT: limit_reached
while True:
    pass
