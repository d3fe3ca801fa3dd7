# EXPECT: wrong could_not_run
# FAMILY: modules: lies about themselves
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
class Huge:
    requires_grad = True
    dtype = shape = None

    def numel(self):
        return 10**4000


class Enc(Good):
    def parameters(self, recurse=True):
        return iter([Huge()])
