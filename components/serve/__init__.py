"""The pipeline as a service and as pages on one's own machine. What is here needs the extra `serve`, so
nothing else imports it but its commands, when they are called.
"""
