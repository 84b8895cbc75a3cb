"""Measuring the engine on labelled questions: what is right, the figures made of it, and what is claimed of them."""
