# FAMILY: frames out of order
# NOTE: a wrong result, taken back by a second frame
tell(lambda case: (write(case_frame(case, [])), claimed(case))[1])
