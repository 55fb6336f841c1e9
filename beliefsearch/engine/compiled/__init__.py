"""Beliefs as rows of words under compiled kernels: loaded once a search has grown large."""
