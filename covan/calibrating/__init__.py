"""Choosing how sure the engine must be: observe labelled questions, fit probabilities, certify a threshold, report."""
