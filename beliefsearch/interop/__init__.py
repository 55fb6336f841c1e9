"""Bridges to other libraries; only the file for a library imports it."""
