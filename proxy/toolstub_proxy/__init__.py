"""The proxy face of toolstub: between an agent and the API it talks to.

    gateway      receives requests and sends them on, rewritten where there is something to rewrite
    workplaces   where a request is rewritten: at once, in a thread, or `apart`, by the process that is `worker`
    rounds       answers the retrieval tools a model calls, round by round, knowing nothing of HTTP
    streams      what a client may see of an answer; one module a wire format
    addon        the same gateway behind mitmproxy (the only module here that imports it)
"""
