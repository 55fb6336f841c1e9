"""Machines with inputs and outputs, and reading them from files of Graphviz."""
