"""A Zalo Official Account (OA): https://developers.zalo.me/docs/official-account"""
