"""The messages of Docs/Protocol.md, "The wire", written from the document alone.

A structure is a dictionary from field numbers to a list of values, in the order of the bytes: a
value is a number, or bytes.
"""

import hashlib
import hmac
import struct


class WireError(Exception):
    """Bytes that are no structure."""


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def structure(*fields):
    """Fields as pairs of a number and a value: a number, bytes, or None to leave the field out."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number * 2) + varint(value)
        elif value is not None:
            out += varint(number * 2 + 1) + varint(len(value)) + value
    return out


def message(*fields):
    return b"\x01" + structure(*fields)


def read_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise WireError(f"no number at byte {at}")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def read_structure(data):
    fields, at = {}, 0
    while at < len(data):
        tag, at = read_varint(data, at)
        value, at = read_varint(data, at)
        if tag & 1:
            if value > len(data) - at:
                raise WireError(f"{value} bytes at byte {at}, and {len(data) - at} are there")
            value, at = data[at:at + value], at + value
        fields.setdefault(tag >> 1, []).append(value)
    return fields


def read_message(data):
    if data[:1] != b"\x01":
        raise WireError(f"format {data[:1]!r}")
    return read_structure(data[1:])


# Structures.

def position(number=0, digest=bytes(32)):
    return structure((1, number), (2, digest))


def read_position(data):
    fields = read_structure(data)
    return fields[1][0], fields[2][0]


def facts(content, mode, seconds):
    return (b"\x01" + hashlib.sha256(content).digest()
            + struct.pack(">QHqI", len(content), mode, seconds, 0))


def folder_facts(mode=0o755):
    return b"\x01" + bytes(32) + struct.pack(">QHqI", 0, mode, 0, 0)


class Account:
    """The ids and tags that all devices of an account agree on."""

    def __init__(self, identity_key):
        self.identity_key = identity_key
        self.tag_key = hmac.digest(identity_key, b"ubiquity name tag", "sha256")

    def tag(self, name):
        return hmac.digest(self.tag_key, name, "sha256")[:16]

    def shared_id(self, subject, data):
        hashed = (struct.pack(">Q", len(self.identity_key)) + self.identity_key
                  + struct.pack(">Q", len(subject)) + subject + data)
        return hashlib.sha256(hashed).digest()[:16]

    def placement(self, place, folder, name):
        return structure((1, place), (3, folder), (4, self.tag(name)), (5, name))

    def register(self, store, key):
        prefix = struct.pack(">Q", len(store)) + store
        return structure((1, self.tag(prefix)), (2, self.tag(prefix + key))), prefix + key


def next_position(before, body, entry):
    """The position after an operation with this body, which came as this entry."""
    number, digest = before
    moment = entry[5][0]
    moment = moment >> 1 if moment % 2 == 0 else -(moment + 1 >> 1)
    said = struct.pack(">QQq", number + 1, entry[3][0], moment)
    return number + 1, hashlib.sha256(digest + said + hashlib.sha256(body).digest()).digest()
