"""The catalogue on the terminal: devices, their figures and where each comes from."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from sensorium.sensors import device, device_names
from sensorium.sensors.catalog import device_text


def print_catalogue() -> None:
    """List all devices with the first of their sources; `sensorium catalog NAME` tells the rest."""
    table = Table(
        "device", "what it is", "sources", title="Devices: sensor: {device: NAME} in a scenario", title_justify="left"
    )
    for name in device_names():
        entry = device(name)
        table.add_row(name, entry.title, "\n".join(source.split(":")[0] for source in entry.sources))
    Console().print(table)


def print_device(name: str) -> None:
    """Print the file of a device: every figure has its source beside it."""
    device(name)  # refuses an unknown name with a proposal
    Console(highlight=False).print(device_text(name), markup=False, soft_wrap=True)
