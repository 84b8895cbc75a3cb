"""The language model of a school, over the OpenAI protocol: requests, limits, costs, and masking."""
