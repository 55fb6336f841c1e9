"""Plug-ins: finding them by name, in a file or in a module; their options; and which ones a plan file may name."""
