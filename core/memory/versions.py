"""Which versions the measured figures hold for: said on screen, in exports and in the README."""

VERSIONS = "PyTorch 2.13 and transformers 5.24"
