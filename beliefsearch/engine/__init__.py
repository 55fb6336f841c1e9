"""The engine: numbered states and bit-set beliefs; the same answers as the views on frozensets, much faster."""
