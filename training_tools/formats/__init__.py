"""The formats of annotated messages, and docs of them."""

from functools import cache

from srsly.msgpack import msgpack_decoders, msgpack_encoders

# For each message, srsly asks all installed packages for other types. That takes longer than reading it.
for known in (msgpack_decoders, msgpack_encoders):
    setattr(known, "get_all", cache(known.get_all))  # noqa: B010
