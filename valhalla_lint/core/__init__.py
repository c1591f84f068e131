"""The words of the project: frozen values that need nothing but the standard library."""
