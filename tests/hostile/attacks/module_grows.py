# EXPECT: any
# FAMILY: modules: lies about themselves
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
class Enc(Good):
    def forward(self, x):
        self.register_parameter(f"p{len(self._parameters)}", nn.Parameter(torch.ones(1000)))
        self.pe = torch.cat([self.pe, self.pe])[:100_000]
        return super().forward(x)
