"""`dure design`: six agents turn one sentence into a checked software design."""
