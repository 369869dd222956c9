"""How a person is asked and shown: the `dure` command and its terminal pieces."""
