"""Reading PomdpX, the factored format of POMDPs that SARSOP reads."""
