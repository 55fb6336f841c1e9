"""A search while it runs: its limits, whoever listens, and the books it keeps."""
