"""Drawings: shapes and texts in points, as SVG and in a notebook."""
