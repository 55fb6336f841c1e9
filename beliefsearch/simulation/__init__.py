"""Games: a plan or a policy against chance or an adversary."""
