"""Show a recording in the Rerun viewer: in a window, or in a browser on this machine.

The viewer runs as a process of its own that this one owns. It listens on this machine only: Rerun's own default is
every network interface, which would hand the recording to anyone on the network.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING
from urllib.parse import quote

from sensorium.apps.rerun_file import rerun_package, write_rerun_file
from sensorium.core.errors import ConfigurationError, MissingExtraError, RecordingError, SensoriumError

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording

LOOPBACK = "127.0.0.1"
_PATIENCE_S = 30.0

Folder = tempfile.TemporaryDirectory[str] | None


class Viewer:
    """A running viewer; leaving a `with` block, or `stop`, ends it and removes its temporary file.

    >>> with view(recording, web=True) as viewer:
    ...     print(viewer.url)
    ...     viewer.wait()
    """

    def __init__(self, process: subprocess.Popen[bytes], said: IO[bytes], url: str, folder: Folder) -> None:
        self.process = process
        self._said = said
        self.url = url
        """Address for a browser on this machine; empty for a window."""
        self._folder = folder

    def wait(self) -> int:
        """Return the exit status once the viewer has ended; Ctrl-C ends it."""
        try:
            return self.process.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            self.stop()

    def stop(self) -> None:
        """End the viewer if it still runs."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._said.close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def wait_for(self, address: str, port: int) -> None:
        """Return when the viewer answers on a port; a viewer that does not is ended."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection((address, port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        self._said.seek(0)
        words = self._said.read().decode(errors="replace").strip()[-2000:]
        self.stop()
        raise SensoriumError(f"the viewer does not answer on {address}:{port}. It said:\n{words or 'nothing'}")

    def __enter__(self) -> Viewer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()


def view(
    recording: Recording,
    *,
    save: Path | str | None = None,
    web: bool = False,
    colour: str = "intensity",
    follow: str = "",
    frame: str = "ground",
    accumulate_s: float | None = None,
    voxel_m: float = 0.1,
    address: str = LOOPBACK,
) -> Viewer | None:
    """Show a recording, or with `save` write it as a Rerun file and show nothing (then the result is None).

    `web` serves the viewer to a browser, which also happens where there is no display for a window. `colour`,
    `follow`, `frame`, `accumulate_s` and `voxel_m` are those of `write_rerun_file`. `address` must be one of this
    machine's own.
    """
    require_loopback(address)
    rerun_package("the viewer")

    def write(path: Path | str) -> Path:
        return write_rerun_file(
            recording, path, colour=colour, follow=follow, frame=frame, accumulate_s=accumulate_s, voxel_m=voxel_m
        )

    if save is not None:
        write(save)
        return None
    folder = tempfile.TemporaryDirectory(prefix="sensorium_view_")
    try:
        return _open(write(Path(folder.name) / "recording.rrd"), address, web, folder)
    except BaseException:
        folder.cleanup()
        raise


def show_file(path: Path | str, *, web: bool = False, address: str = LOOPBACK) -> Viewer:
    """Show a Rerun file that exists already."""
    require_loopback(address)
    rerun_package("the viewer")
    if not Path(path).is_file():
        raise RecordingError(f"there is no file {path}; write one with `view(recording, save=...)`")
    return _open(Path(path), address, web)


def require_loopback(address: str) -> None:
    """Refuse an address that other machines can reach."""
    try:
        inside = ipaddress.ip_address(address).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise ConfigurationError(
            f"the viewer listens on this machine only; found the address '{address}', expected one such as "
            f"'{LOOPBACK}'. To look from another machine use a tunnel: ssh -L PORT:{LOOPBACK}:PORT THIS_MACHINE"
        )


def has_display() -> bool:
    """Tell whether a window can be opened."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(file: Path, address: str, web: bool, folder: Folder = None) -> Viewer:
    if has_display() and not web:
        (port,) = _free_ports(address, 1)
        return Viewer(*_start(file, address, port), "", folder)
    data_port, page_port = _free_ports(address, 2)
    source = quote(f"rerun+http://{_in_url(address)}:{data_port}/proxy", safe="")
    page = f"http://{_in_url(address)}:{page_port}/?url={source}&renderer=webgl&hide_welcome_screen=1"
    viewer = Viewer(*_start(file, address, data_port, "--serve-web", "--web-viewer-port", str(page_port)), page, folder)
    for port in (data_port, page_port):
        viewer.wait_for(address, port)
    return viewer


def _start(file: Path, address: str, port: int, *more: str) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Start Rerun's own program, not its Python wrapper, which would leave the program behind when it is ended."""
    found = find_spec("rerun_cli")
    if found is None or found.origin is None:
        raise MissingExtraError("rerun-sdk", "viewer", "the viewer")
    program = Path(found.origin).parent / ("rerun.exe" if sys.platform == "win32" else "rerun")
    without_telemetry = {**os.environ, "CI": "1"}  # Rerun sends no usage data from machines that build and test
    without_telemetry.pop("FORCE_RERUN_ANALYTICS", None)
    said = tempfile.TemporaryFile()  # noqa: SIM115  (the viewer closes it)
    command = [str(program), str(file), "--bind", address, "--port", str(port), *more]
    process = subprocess.Popen(command, env=without_telemetry, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
    return process, said


def _free_ports(address: str, count: int) -> list[int]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sockets = [socket.socket(family, socket.SOCK_STREAM) for _ in range(count)]
    try:
        for each in sockets:
            each.bind((address, 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address
