"""Re-identification: what an attacker finds out from a de-identified text who knows how the tool works, but
not the key.
"""
