"""Measures the figures the design promises, and says which of them hold: `make bench` or `python -m bench [GROUP ...]`.

Work within this process is measured in CPU time, so that a busy machine does not matter much, and wherever it can be
as a ratio to the work of somebody else on the same input, in turns with ours. What goes through the proxy is measured
by the clock, each request in a pair with the same request through a plain pass-through. All figures are medians.
"""
