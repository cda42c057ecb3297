"""The demonstration: an agent, a stand-in for the paid API, and the proxy between them; offline."""
