"""Readers of the field's own files: each a problem class, for files of one ending."""
