"""The store: a directory that holds a search, so that it survives the process."""
