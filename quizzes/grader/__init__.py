"""Grading of submitted code, without Django: sandbox, wire format, judge, diagnosis."""
