"""Makes the training corpus: reads skeletons, fills their slots, adds casing and typing noise.

Nothing in here is part of the installed pipeline.
"""
