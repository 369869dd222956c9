"""The subcommands of `dure` that this application adds: options in, the work done elsewhere, an exit code out."""
