# EXPECT: limit_reached could_not_run wrong
# FAMILY: modules: files, processes, memory
# STOPPED: 2 child
# NEEDS: torch
# KIND: module
kept = []


class Enc(Good):
    def forward(self, x):
        kept.append(torch.ones(1 << 27))
        kept.append(torch.zeros(1 << 40))
        return super().forward(x)
