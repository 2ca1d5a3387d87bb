"""The command that serves an external engine: hit points in over UDP, physical points out to a viewer."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

Listen = Annotated[str, typer.Option(help="HOST:PORT where hit points arrive; port 0 lets the system choose.")]
Viewer = Annotated[str, typer.Option("--view", help="HOST:PORT that gets the physical points.")]
LayoutText = Annotated[
    str,
    typer.Option("--layout", help="What a datagram holds: single_rays, roses (of five), roses:9, guns:3 (segments)."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change the instrument: --set 'peak_power_w=75 W'. May be given more than once."),
]
Remote = Annotated[
    bool, typer.Option("--allow-remote", help="Accept addresses off this machine; data travels unprotected.")
]


def engine(
    listen: Listen,
    view: Viewer,
    layout: LayoutText = "single_rays",
    settings: Settings = None,
    seed: Annotated[int, typer.Option(help="Seed of the noise.", min=0)] = 0,
    allow_remote: Remote = False,
) -> None:
    """Serve a game engine: it sends what its rays hit, a viewer gets what a LiDAR would measure (Ctrl-C ends)."""
    from sensorium.bridges.engine_physics import EnginePhysics
    from sensorium.bridges.engine_service import EngineService, serve
    from sensorium.bridges.engine_wire import layout_of
    from sensorium.core.documents import build

    def opened(service: EngineService) -> None:
        print(f"listening at {service.address} for {layout}, sending to {view}   (Ctrl-C ends)", flush=True)

    def report(text: str) -> None:
        print(f"sensorium: {text}", file=sys.stderr, flush=True)

    physics = build(EnginePhysics, {}, source="--set", overrides=settings or [])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # here it is the way to end, and no failure
    counted = serve(
        listen,
        view,
        layout_of(layout),
        physics=physics,
        seed=seed,
        allow_remote=allow_remote,
        report=report,
        opened=opened,
    )
    print(
        f"{counted.received} datagrams ({counted.refused} refused, {counted.lost} lost), {counted.beams} beams, "
        f"{counted.points} points in {counted.sent} datagrams"
    )
