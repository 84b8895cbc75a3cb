"""Enrichment of a knowledge folder by a language model, for retrieval alone: further wordings, questions, relations."""
