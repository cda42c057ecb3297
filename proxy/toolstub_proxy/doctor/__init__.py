"""`toolstub doctor`: finds why nothing is stubbed, or why nothing arrives, and says what to do.

It looks at what a client would meet on its way: the variables of this shell, the proxy, the store, the upstream. None
of it needs the libraries of the proxy, whose absence is one of the findings.
"""
