"""Serve the design pipeline over HTTP.

So far the prompts in use and their refresh; loopback unless told otherwise, for there is no TLS here.
"""

import asyncio
import sys
from contextlib import closing
from typing import Annotated

import typer

from dure.errors import ConfigError

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def serve(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; others than loopback need a proxy with TLS.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any free one.")] = 8080,
) -> None:
    """Serve the design pipeline over HTTP: GET /health, GET /prompts, POST /refresh-prompts.

    The prompts come from DURE_PROMPTS or dure.toml. Refreshing needs the token that is in DURE_ADMIN_TOKEN.
    """
    try:
        from dure_spec.service.app import create_app
        from dure_spec.service.serving import listen
        from dure_spec.service.serving import serve as run
    except ImportError as error:
        raise ConfigError("dure serve needs its HTTP server: pip install 'dure[web]'") from error
    from dure_spec.agents.prompt_files import open_store
    from dure_spec.config import design_config
    from dure_spec.service.admin_token import TOKEN_VARIABLE, admin_token

    store = open_store(design_config().prompts)
    token = admin_token()

    async def work() -> None:
        await store.load()
        with closing(listen(host, port)) as listening:
            taken = listening.getsockname()[1]

            def started() -> None:
                shown = f"[{host}]" if ":" in host else host
                sys.stdout.write(f"dure serves on http://{shown}:{taken} (prompts: {store.current.source})\n")
                if not token:
                    sys.stdout.write(f"refreshing prompts is closed: {TOKEN_VARIABLE} is not set\n")
                sys.stdout.flush()

            await run(create_app(store, admin_token=token), listening, started)

    asyncio.run(work())
