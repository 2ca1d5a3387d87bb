"""The files beside a model: textures and material files that it names."""

from __future__ import annotations

import io
from pathlib import Path
from urllib.parse import unquote

from sensorium.core.errors import did_you_mean

_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tga", ".tif", ".tiff", ".gif")


class Neighbours:
    """Gives a parser the bytes of files by name, and remembers which ones it could not give."""

    def __init__(self, model: Path, textures: bool) -> None:
        self.folder = model.parent
        self.textures = textures
        self.file_name = model.stem
        self.problems: list[str] = []

    def __getitem__(self, name: str) -> bytes:
        is_image = Path(name).suffix.lower() in _IMAGES
        if is_image and not self.textures:
            raise FileNotFoundError(name)
        try:
            content = self._find(name).read_bytes()
        except (OSError, ValueError):
            known = [entry.name for entry in self.folder.iterdir()]
            self.problems.append(f"there is no file '{name}' beside it.{did_you_mean(Path(name).name, known)}")
            raise FileNotFoundError(name) from None
        if is_image:
            self._check_image(name, content)
        return content

    get = __getitem__

    def _find(self, name: str) -> Path:
        """Return the path of a name as exporters write it: escaped, with backslashes, after options of MTL."""
        plain = name.strip().replace("\\", "/")
        for candidate in (plain, unquote(plain), plain.split()[-1] if plain.startswith("-") else plain):
            if (self.folder / candidate).is_file():
                return self.folder / candidate
        return self.folder / plain

    def _check_image(self, name: str, content: bytes) -> None:
        from PIL import Image, UnidentifiedImageError

        try:
            Image.open(io.BytesIO(content)).close()
        except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
            self.problems.append(f"the texture '{name}' is not an image that can be read: {error}")
