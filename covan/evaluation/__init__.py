"""Measurement of the engine on labelled questions: labels, figures and claims."""
