"""A design run: the order of the stages, the gate of each, the journal of what was accepted, how a run ends."""
