"""Registration: the camera's own motion is taken out before images are compared."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.errors import MissingExtraError
from sensorium.core.units import PositiveNumber

Grey = NDArray[np.float32]


@configured
class FeatureRegistration:
    """Follows corners from the old image to the new one and fits the projective map that most of them share.

    Corners by J. Shi and C. Tomasi, flow by B. Lucas and T. Kanade, the map with RANSAC; all as OpenCV has them (extra `vision`).
    """

    type: Literal["feature_registration"] = "feature_registration"
    corners: Annotated[int, Ge(8)] = 300
    tolerance_px: PositiveNumber = 1.5
    """A corner that lands farther off does not share the motion."""

    def registered(self, old: Grey, new: Grey) -> tuple[Grey, NDArray[np.bool_]]:
        """Return the old image as it would look from where the new one was taken, and where it is known [H, W]."""
        try:
            import cv2
        except ImportError as error:
            raise MissingExtraError("opencv-python-headless", "vision", "registration of images") from error
        whole = np.ones(new.shape, np.bool_)
        low, high = (float(edge) for edge in np.percentile(old, (1, 99)))
        scale = 255.0 / max(high - low, 1e-9)
        a, b = (np.clip((one - low) * scale, 0, 255).astype(np.uint8) for one in (old, new))
        corners = cv2.goodFeaturesToTrack(a, self.corners, 0.01, 7)
        if corners is None or len(corners) < 8:
            return old, whole
        moved, found, _ = cv2.calcOpticalFlowPyrLK(a, b, corners, np.empty_like(corners))
        kept = found.ravel() == 1
        if kept.sum() < 8:
            return old, whole
        matrix, _ = cv2.findHomography(corners[kept], moved[kept], cv2.RANSAC, self.tolerance_px)
        if matrix is None:
            return old, whole
        size = (new.shape[1], new.shape[0])
        warped = cv2.warpPerspective(old, matrix, size, flags=cv2.INTER_LINEAR)
        known = cv2.warpPerspective(np.ones_like(old), matrix, size, flags=cv2.INTER_LINEAR) > 0.999
        return np.asarray(warped, np.float32), np.asarray(known, np.bool_)
