"""The use cases: everything that a command does, as functions with the same power.

The command line and the web page parse what they are given, call a function of this package, and
present its result.
"""
