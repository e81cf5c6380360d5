"""The formats of annotated messages, and docs of them."""

from functools import cache

from srsly.msgpack import msgpack_decoders, msgpack_encoders

# srsly asks all packages that are installed anew for each message what else it might hold: that takes
# longer than reading the message.
for known in (msgpack_decoders, msgpack_encoders):
    setattr(known, "get_all", cache(known.get_all))  # noqa: B010
