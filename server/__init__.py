"""Components of Rasa's process (Python 3.10): NLU and channels. Imports only `vietnamese` and `school` of ours."""
