"""The examples that teach the classifier of intents and topics."""
