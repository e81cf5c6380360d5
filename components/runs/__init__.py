"""Runs over tables of messages: in blocks of whole conversations, on one machine or on many, and with
nothing lost when they are stopped.
"""
