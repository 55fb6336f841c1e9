"""The conformance suite, which checks that a plug-in keeps the contract of its interface."""
