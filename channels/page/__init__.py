"""The page with the chat, the widget for other websites, and the school as both show it."""
