"""Applies what findings carry as their own repair."""
