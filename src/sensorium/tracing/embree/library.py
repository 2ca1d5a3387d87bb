"""Finding Embree and declaring what we call of it. Import this lazily: it loads Numba and the shared library.

The embreex wheel carries the whole Embree 4 library with its C interface; a system library serves as well. Scene building
goes through ctypes (few calls per body); per-window updates and trace calls are external symbols of compiled kernels, which
can be cached on disk because they hold no addresses.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
from ctypes import c_char_p, c_int, c_ssize_t, c_uint, c_void_p
from functools import cache
from pathlib import Path

import llvmlite.binding
import numpy as np
from numba import types

from sensorium.core.errors import MissingExtraError, SensoriumError

# enumerators of rtcore_*.h, Embree 4
GEOMETRY_TRIANGLE = 0
GEOMETRY_INSTANCE = 121
BUFFER_INDEX, BUFFER_VERTEX = 0, 1
FORMAT_UINT3, FORMAT_FLOAT3, FORMAT_FLOAT3X4 = 0x5003, 0x9003, 0x9134
SCENE_DYNAMIC, SCENE_ROBUST = 1, 4
PROPERTY_VERSION = 0
MOST_TIME_STEPS = 129

# RTCIntersectArguments and RTCOccludedArguments begin alike: flags, mask of features (all), three pointers (none), one number
_COHERENT, _ALL_FEATURES = 1 << 16, 0xFFFFFFFF
_TOGETHER = np.array([_ALL_FEATURES << 32 | _COHERENT, 0, 0, 0, 0, 0, 0, 0], np.uint64)
TOGETHER = int(_TOGETHER.ctypes.data)
"""Address of arguments that let Embree follow the rays of a packet together; 0: each for itself."""

# The layout of RTCRayHit16 (with instPrimID) is that of 4.4; checked when the library is loaded.
_OLDEST, _NEWEST = 40400, 50000

_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "rtcNewDevice": (c_void_p, (c_char_p,)),
    "rtcReleaseDevice": (None, (c_void_p,)),
    "rtcGetDeviceProperty": (c_ssize_t, (c_void_p, c_int)),
    "rtcGetDeviceError": (c_int, (c_void_p,)),
    "rtcNewScene": (c_void_p, (c_void_p,)),
    "rtcReleaseScene": (None, (c_void_p,)),
    "rtcSetSceneFlags": (None, (c_void_p, c_int)),
    "rtcCommitScene": (None, (c_void_p,)),
    "rtcNewGeometry": (c_void_p, (c_void_p, c_int)),
    "rtcReleaseGeometry": (None, (c_void_p,)),
    "rtcSetNewGeometryBuffer": (c_void_p, (c_void_p, c_int, c_uint, c_int, ctypes.c_size_t, ctypes.c_size_t)),
    "rtcCommitGeometry": (None, (c_void_p,)),
    "rtcAttachGeometry": (c_uint, (c_void_p, c_void_p)),
    "rtcSetGeometryInstancedScene": (None, (c_void_p, c_void_p)),
}

rtc_intersect16 = types.ExternalFunction("rtcIntersect16", types.void(*[types.intp] * 4))
rtc_occluded16 = types.ExternalFunction("rtcOccluded16", types.void(*[types.intp] * 4))
rtc_set_time_steps = types.ExternalFunction("rtcSetGeometryTimeStepCount", types.void(types.intp, types.uint32))
rtc_set_matrix = types.ExternalFunction(
    "rtcSetGeometryTransform", types.void(types.intp, types.uint32, types.int32, types.intp)
)
rtc_set_quaternion = types.ExternalFunction(
    "rtcSetGeometryTransformQuaternion", types.void(types.intp, types.uint32, types.intp)
)
rtc_commit_geometry = types.ExternalFunction("rtcCommitGeometry", types.void(types.intp))
rtc_commit_scene = types.ExternalFunction("rtcCommitScene", types.void(types.intp))


def _path() -> str:
    """Return the library of the embreex wheel (its folder differs by system), else the system's own."""
    spec = importlib.util.find_spec("embreex")
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        for folder in (package.parent / "embreex.libs", package / ".dylibs", package):
            for pattern in ("libembree4*", "embree4*.dll"):
                for path in sorted(folder.glob(pattern)):
                    return str(path)
    system = ctypes.util.find_library("embree4")
    if system is None:
        raise MissingExtraError("embreex", "core", "Fast ray tracing")
    return system


@cache
def embree() -> ctypes.CDLL:
    """Return the loaded library with its signatures; compiled kernels can see its symbols from then on."""
    path = _path()
    library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    llvmlite.binding.load_library_permanently(path)
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, list(arguments)
    device = library.rtcNewDevice(b"threads=1")
    version = library.rtcGetDeviceProperty(device, PROPERTY_VERSION)
    library.rtcReleaseDevice(device)
    if not _OLDEST <= version < _NEWEST:
        raise SensoriumError(
            f"{path} is Embree {version}, which lays out its rays differently; this needs 4.4 or a later 4: "
            "pip install 'embreex>=4.4'"
        )
    return library
