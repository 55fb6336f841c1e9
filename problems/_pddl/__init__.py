"""PDDL: the language of planning files, its grounding, and the steps of ground actions."""
