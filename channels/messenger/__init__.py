"""Facebook Messenger: https://developers.facebook.com/documentation/business-messaging/messenger-platform"""
