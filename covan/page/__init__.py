"""The page with the chat: serves the built front end and hands what students write to Rasa's web channel."""
