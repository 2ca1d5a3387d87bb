"""The ROS 2 message types of the Jazzy distribution: classes, definitions and CDR, all by the rosbags library."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def type_store() -> Any:
    """Return the store of all Jazzy message types; built once, in 0.1 s."""
    from rosbags.typesys import Stores, get_typestore

    return get_typestore(Stores.ROS2_JAZZY)


@cache
def ros_type(name: str) -> Any:
    """Return the class of a message type such as "std_msgs/Header"; its arguments follow the order of the .msg file."""
    package, message = name.split("/")
    return type_store().types[f"{package}/msg/{message}"]


@cache
def definition_of(type_name: str) -> bytes:
    """Return the text that explains a type "package/msg/Name" and all types inside it, as a recording carries it."""
    text, _ = type_store().generate_msgdef(type_name, ros_version=2)
    return str(text).encode()


@cache
def type_hash_of(type_name: str) -> str:
    """Return the RIHS01 hash by which ROS 2 nodes check that they mean the same type."""
    return str(type_store().hash_rihs01(type_name))


def serialise(message: Any, type_name: str) -> bytes:
    """Return a message as little-endian CDR with its four bytes of encapsulation."""
    return bytes(type_store().serialize_cdr(message, type_name))


def deserialise(cdr: bytes, type_name: str) -> Any:
    """Return the message that the CDR bytes hold."""
    return type_store().deserialize_cdr(cdr, type_name)
