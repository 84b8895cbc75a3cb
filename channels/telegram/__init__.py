"""Telegram: https://core.telegram.org/bots/api"""
