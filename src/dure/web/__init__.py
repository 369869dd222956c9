"""What HTTP services of `dure` have in common."""
