"""The channels: website, Telegram, Messenger, the advisors' API, and Rasa's internal routes."""
