"""The engine: numbered states and bit-set beliefs. The same answers as the views on frozensets, much faster."""
