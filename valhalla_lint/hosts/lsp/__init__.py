"""The language server: translates, decides nothing. pygls and lsprotocol live here and nowhere else."""
