"""How a finding is mended; libcst lives here and nowhere else."""
