"""Requests of clients that are gone are ended."""

import asyncio
from typing import Any


class Leaving:
    """An ASGI layer that cancels a request whose client is gone before the answer begins."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_whole = asyncio.Event()
        has_begun = False

        async def receive_noted() -> Any:
            message = await receive()
            if not message.get("more_body", False):
                is_whole.set()
            return message

        async def send_noted(message: Any) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        async def wait_until_gone() -> None:
            await is_whole.wait()
            # After the body nothing comes but that.
            await receive()

        work = asyncio.create_task(self.app(scope, receive_noted, send_noted))
        gone = asyncio.create_task(wait_until_gone())
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not has_begun:
                work.cancel()
            await asyncio.wait((work,))
            if not work.cancelled():
                work.result()
        finally:
            work.cancel()
            gone.cancel()
