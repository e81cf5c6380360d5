"""Makes the training corpus: reads message skeletons, fills their slots, adds casing and typing noise.

Nothing in here is part of the installed pipeline.
"""
