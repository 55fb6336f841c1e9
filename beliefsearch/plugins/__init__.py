"""Plug-ins: found by name, in a file or in a module; their options, and what a file may name."""
