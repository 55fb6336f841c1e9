"""The engine: numbered states and bit-set beliefs. The same answers as `SensorlessView`, much faster."""
