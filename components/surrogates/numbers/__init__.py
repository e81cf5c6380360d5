"""Surrogates of personal numbers, phone numbers and e-mail addresses."""
