"""VH4: model names, model code, model files."""
