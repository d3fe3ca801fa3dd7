"""The class of made-up people that newcomers and tests teach."""
