"""The website: the chat's HTTP interface, with server-sent events."""
