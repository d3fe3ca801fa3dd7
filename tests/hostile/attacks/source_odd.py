# -*- coding: latin-1 -*-
# EXPECT: correct
# FAMILY: odd sources
# STOPPED: 5 frames
# NOTE: a coding line, tabs, a form feed, a carriage return
# fmt: off

def pe(n, d):
	t = good(n, d)
	return t
