"""The language model of a school, over the OpenAI protocol: requests, limits, costs, and what must not leave the house."""
