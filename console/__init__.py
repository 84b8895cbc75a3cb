"""The advisors' console: one process with accounts of its own, that shows what students asked and publishes answers."""
