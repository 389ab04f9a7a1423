"""A device in another language, written from Docs/Protocol.md, against a real server."""

import base64
import hashlib
import http.client
import json
import os
import socket
import struct
import unittest

import programs
import wire
from scenario import Scenario

TOP = bytes(16)
FILE, FOLDER = 1, 2
EDIT = 1
NOTE = "Prices: 3 €\n".encode()


class ForeignDevice:
    """Joins, sends, pulls, and listens to the push."""

    def __init__(self, cloud, name):
        self.cloud = cloud
        self.token = None
        answer = json.loads(self.request("POST", "/v1/join", json.dumps({
            "account": "anna", "password": programs.PASSWORD, "device": name}).encode()))
        self.token = answer["token"]
        self.id = bytes.fromhex(answer["device"])
        self.account = wire.Account(bytes.fromhex(answer["identityKey"]))
        self.incarnation = int.from_bytes(os.urandom(7), "big")
        self.sent = 0

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.cloud.port, timeout=30)

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def request(self, method, path, body=None, status=200):
        connection = self.connection()
        try:
            connection.request(method, path, body, self.headers)
            response = connection.getresponse()
            answer = response.read()
        finally:
            connection.close()
        if response.status != status:
            raise programs.Failure(f"{method} {path} gave {response.status}: {answer!r}")
        return answer

    def number(self, bodies):
        """The message that carries these operations."""
        fields = [(1, self.incarnation)]
        for body in bodies:
            self.sent += 1
            fields.append((2, wire.structure((1, self.sent), (2, 0), (3, body))))
        return wire.message(*fields)

    def send(self, message):
        """The outcomes: numbers of the log, or the reasons of refusals as negative numbers."""
        answer = wire.read_message(self.request("POST", "/v1/sync/operations", message))
        outcomes = []
        for outcome in wire.read_structure(answer[1][0]).get(1, []):
            fields = wire.read_structure(outcome)
            outcomes.append(fields[1][0] if 1 in fields else -fields[2][0])
        return outcomes

    def pull(self, after):
        """The entries after a position, as structures, and the head."""
        question = wire.message((1, wire.position(*after)), (2, 1 << 20))
        answer = wire.read_message(self.request("POST", "/v1/sync/log", question))
        if 2 in answer:
            return None
        stretch = wire.read_structure(answer[1][0])
        entries = [wire.read_structure(entry) for entry in stretch.get(2, [])]
        return entries, wire.read_position(stretch[3][0])

    def create(self, item, kind, folder, name, facts, content=None, chunks=None):
        version = wire.structure(
            (1, os.urandom(16)), (3, EDIT), (4, facts), (5, content), (6, chunks))
        return wire.structure((1, wire.structure(
            (1, item), (2, kind),
            (3, self.account.placement(os.urandom(16), folder, name)), (4, version))))

    def containers_folders(self):
        """The operations that make the container, and the id of its Documents."""
        name = programs.CONTAINER.encode()
        container = self.account.shared_id(b"container", name)
        documents = self.account.shared_id(b"documents", container)
        return [
            self.create(container, FOLDER, TOP, name, wire.folder_facts()),
            self.create(documents, FOLDER, container, b"Documents", wire.folder_facts()),
        ], documents


class PushStream:
    """Server-sent events whose data are messages."""

    def __init__(self, device):
        self.connection = device.connection()
        self.connection.request("GET", "/v1/sync/push", headers=device.headers)
        self.response = self.connection.getresponse()

    def next(self):
        """The name and the message of the next event."""
        name, data = "message", b""
        while line := self.response.readline():
            field, _, value = line.rstrip(b"\n").partition(b": ")
            if field == b"event":
                name = value.decode()
            elif field == b"data":
                data += value
            elif line == b"\n" and data:
                return name, wire.read_message(base64.b64decode(data, validate=True))
        raise programs.Failure("the push stream ended")

    def close(self):
        self.connection.close()


class ProtocolTests(Scenario):
    """The document says all that a client needs."""

    def setUp(self):
        super().setUp()
        self.start_cloud()
        self.writer = ForeignDevice(self.cloud, "foreign writer")

    def listen(self, device):
        stream = PushStream(device)
        self.addCleanup(stream.close)
        return stream

    def test_a_note_goes_to_all_who_listen(self):
        reader = ForeignDevice(self.cloud, "foreign reader")
        stream = self.listen(reader)
        name, hello = stream.next()
        self.assertEqual(name, "hello")
        self.assertEqual(wire.read_position(hello[1][0]), (0, bytes(32)))

        bodies, documents = self.writer.containers_folders()
        item = os.urandom(16)
        facts = wire.facts(NOTE, 0o644, 1_790_000_000)
        bodies.append(
            self.writer.create(item, FILE, documents, b"prices.md", facts, NOTE))
        message = self.writer.number(bodies)
        self.assertEqual(self.writer.send(message), [1, 2, 3])
        self.assertEqual(self.writer.send(message), [1, 2, 3], "sent again")

        heads = [(0, bytes(32))]
        entries, head = reader.pull(heads[0])
        for body, entry in zip(bodies, entries):
            heads.append(wire.next_position(heads[-1], body, entry))
        self.assertEqual(head, heads[3])
        self.assertEqual([wire.read_position(entry[1][0]) for entry in entries], heads[1:])
        self.check_note(entries[2], item, documents, facts)
        self.assertEqual(reader.pull(heads[3]), ([], heads[3]))
        self.assertIsNone(reader.pull((2, bytes(32))), "another history")

        name, push = stream.next()
        self.assertEqual(name, "log")
        self.assertEqual(wire.read_position(push[1][0]), heads[0])
        self.assertEqual([wire.read_structure(entry) for entry in push[2]], entries)
        self.assertEqual(wire.read_position(push[3][0]), heads[3])

        device = self.device("laptop")
        device.wait()
        self.assert_content(device, "prices.md", NOTE)

    def check_note(self, entry, item, documents, facts):
        self.assertEqual(entry[2], [self.writer.id])
        self.assertEqual(entry[3], [self.writer.incarnation])
        self.assertEqual(entry[4], [3])
        effect = wire.read_structure(wire.read_structure(entry[6][0])[1][0])
        state = wire.read_structure(effect[1][0])
        version = wire.read_structure(effect[2][0])
        placement = wire.read_structure(state[4][0])
        self.assertEqual((state[1], state[2], state[3]), ([item], [FILE], [1]))
        self.assertEqual((placement[3], placement[5]), ([documents], [b"prices.md"]))
        self.assertEqual(wire.read_structure(state[5][0]), {1: version[1], 2: [1]})
        self.assertEqual((version[4], version[5]), ([facts], [NOTE]))

    def test_a_large_file_goes_in_chunks(self):
        content = os.urandom(1_200_000)
        parts = [content[:1 << 20], content[1 << 20:]]
        names = [hashlib.sha256(part).digest() for part in parts]
        bodies, documents = self.writer.containers_folders()
        references = b"".join(
            name + wire.varint(len(part)) for name, part in zip(names, parts))
        bodies.append(self.writer.create(
            os.urandom(16), FILE, documents, b"large.bin",
            wire.facts(content, 0o600, 1_790_000_000), chunks=references))

        question = wire.message((1, b"".join(names)))
        answer = self.writer.request("POST", "/v1/sync/chunks/missing", question)
        self.assertEqual(wire.read_message(answer), {1: [b"".join(names)]})
        self.writer.request("PUT", f"/v1/sync/chunks/{names[0].hex()}", parts[0], status=204)
        self.assertEqual(self.writer.send(self.writer.number(bodies)), [1, 2, -8])
        self.writer.request("PUT", f"/v1/sync/chunks/{names[1].hex()}", parts[1], status=204)
        self.assertEqual(
            self.writer.request("GET", f"/v1/sync/chunks/{names[1].hex()}"), parts[1])
        self.assertEqual(self.writer.send(self.writer.number(bodies[2:])), [3])

        device = self.device("laptop")
        device.wait()
        self.assert_content(device, "large.bin", content)

    def test_a_value_is_written_and_replaced(self):
        first, second = os.urandom(16), os.urandom(16)
        register, name = self.writer.account.register(b"org.ubiquity.notes", b"theme")
        write = wire.structure((5, wire.structure(
            (1, first), (2, register), (3, name), (4, b"dark"))))
        replacement = wire.structure((5, wire.structure(
            (1, second), (2, register), (3, name), (4, b"light"), (5, first))))
        self.assertEqual(self.writer.send(self.writer.number([write, replacement])), [1, 2])
        entries, _ = self.writer.pull((0, bytes(32)))
        effect = wire.read_structure(wire.read_structure(entries[1][6][0])[4][0])
        self.assertEqual((effect[1], effect[3], effect[4]), ([register], [second], [b"light"]))

    def test_versions_are_told_one_by_one(self):
        item = os.urandom(16)
        bodies, documents = self.writer.containers_folders()
        facts = wire.facts(NOTE, 0o644, 1_790_000_000)
        bodies.append(self.writer.create(item, FILE, documents, b"note.md", facts, NOTE))
        self.writer.send(self.writer.number(bodies))
        listed = wire.read_message(
            self.writer.request("GET", f"/v1/sync/items/{item.hex()}/versions"))
        version = wire.read_structure(listed[1][0])
        self.assertEqual((version[2], version[3]), ([item], [3]))
        self.assertNotIn(5, wire.read_structure(version[1][0]))
        name = wire.read_structure(version[1][0])[1][0].hex()
        whole = wire.read_message(self.writer.request("GET", f"/v1/sync/versions/{name}"))
        self.assertEqual(wire.read_structure(whole[1][0])[5], [NOTE])

    def test_numbers_and_incarnations(self):
        register, name = self.writer.account.register(b"s", b"k")

        def message(number, value, incarnation=self.writer.incarnation):
            body = wire.structure((5, wire.structure(
                (1, value * 16), (2, register), (3, name), (4, value))))
            return wire.message((1, incarnation), (2, wire.structure(
                (1, number), (2, 0), (3, body))))

        def answer(device, sent):
            return wire.read_message(device.request("POST", "/v1/sync/operations", sent))

        self.assertEqual(answer(self.writer, message(2, b"a")), {2: [0]})
        self.assertIn(1, answer(self.writer, message(1, b"a")))
        self.assertEqual(answer(self.writer, message(1, b"b")), {3: [0]})
        other = ForeignDevice(self.cloud, "clone")
        self.assertEqual(answer(other, message(2, b"c")), {3: [0]})

    def test_who_has_left_is_told_so(self):
        stream = self.listen(self.writer)
        stream.next()
        self.writer.request("POST", "/v1/leave", status=204)
        self.assertIn(b"event: revoked\n", stream.response.read())
        refused = self.writer.request("POST", "/v1/sync/log", wire.message(), status=401)
        self.assertEqual(json.loads(refused)["error"]["code"], "revoked")


class Program:
    """A program on the device's own socket."""

    def __init__(self, device):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(os.path.join(device.home, ".ubiquity", "socket"))
        self.stream = self.socket.makefile("rb")
        self.asked = 0

    def ask(self, call, *arguments):
        self.asked += 1
        request = wire.message((1, self.asked), (2, call), (3, wire.structure(*arguments)))
        self.socket.sendall(struct.pack(">I", len(request)) + request)
        return self.asked

    def hear(self):
        """The next message's request, and its one body: field number and structure."""
        count, = struct.unpack(">I", self.stream.read(4))
        fields = wire.read_message(self.stream.read(count))
        request = fields.pop(1)[0]
        (number, values), = fields.items()
        return request, number, wire.read_structure(values[0])

    def reply(self, call, *arguments):
        """The last part of the answer, as the one field that it has."""
        asked = self.ask(call, *arguments)
        request, number, fields = self.hear()
        if (request, number) != (asked, 2):
            raise programs.Failure(f"call {call} was answered with {number}: {fields}")
        (kind, values), = fields.items()
        return kind, values[0]

    def close(self):
        self.stream.close()
        self.socket.close()


class SocketTests(Scenario):
    """The same for the socket of a device."""

    def setUp(self):
        super().setUp()
        self.start_cloud()
        self.laptop = self.device("laptop")
        programs.save(self.laptop.path("prices.md"), NOTE)
        self.laptop.wait()
        self.program = Program(self.laptop)
        self.addCleanup(self.program.close)
        self.path = f"{programs.CONTAINER}/Documents/prices.md".encode()

    def test_a_program_asks(self):
        kind, status = self.program.reply(1)
        fields = wire.read_structure(status)
        self.assertEqual((kind, fields[1]), (2, [1]), "in sync")
        self.assertEqual(wire.read_structure(fields[2][0])[2], [b"anna"])

        kind, items = self.program.reply(3, (1, self.path), (3, 0))
        item = wire.read_structure(wire.read_structure(items)[1][0])
        self.assertEqual((kind, item[2], item[4]), (4, [self.path], [len(NOTE)]))
        kind, part = self.program.reply(4, (1, self.path), (2, item[8][0]), (3, 0))
        fields = wire.read_structure(part)
        self.assertEqual((kind, fields[1], fields[2]), (5, [NOTE], [len(NOTE)]))

        kind, _ = self.program.reply(9, (5, b"store"), (6, b"key"), (7, b"value"))
        self.assertEqual(kind, 1)
        kind, value = self.program.reply(8, (5, b"store"), (6, b"key"))
        self.assertEqual((kind, wire.read_structure(value)), (8, {1: [b"value"]}))

    def test_a_program_watches(self):
        asked = self.program.ask(14, (1, programs.CONTAINER.encode()))
        while True:
            request, number, fields = self.program.hear()
            self.assertEqual(request, asked)
            if number == 2:
                break
        programs.save(self.laptop.path("later.md"), NOTE)
        while True:
            request, number, fields = self.program.hear()
            self.assertEqual((request, number), (asked, 5))
            rows = wire.read_structure(fields[1][0]).get(1, [])
            if any(wire.read_structure(row)[2][0].endswith(b"/later.md") for row in rows):
                break

    def search(self, condition, goes_on=0):
        return self.program.ask(
            30, (1, programs.CONTAINER.encode()), (3, goes_on), (6, b"/home/containers"),
            (7, condition))

    def found(self, asked):
        """The paths of what is found, and how many items were looked at."""
        paths = []
        while True:
            request, number, fields = self.program.hear()
            self.assertEqual(request, asked)
            kind, = fields
            self.assertEqual((number, kind) in ((2, 30), (3, 4)), True, (number, kind))
            rows = wire.read_structure(fields[kind][0])
            paths += [wire.read_structure(row)[2][0] for row in rows.get(1, [])]
            if number == 2:
                return paths, rows[2][0]

    def test_a_program_searches(self):
        programs.save(self.laptop.path("picture.png"), NOTE)
        self.laptop.wait()
        paths, visited = self.found(self.search(b"kMDItemFSName LIKE '*.md'"))
        self.assertEqual(paths, [self.path])
        self.assertGreaterEqual(visited, 1)
        too_long = b"kMDItemFSName == '" + b"x" * 262_144 + b"'"
        for condition in (b"kMDItemFSName MATCHES '.*'", b"no predicate", too_long):
            refused = self.search(condition)
            request, number, failure = self.program.hear()
            self.assertEqual((request, number, failure[1]), (refused, 4, [3]))

    def test_a_search_goes_on(self):
        asked = self.search(f"kMDItemFSSize > {len(NOTE)}".encode(), goes_on=1)
        self.assertEqual(self.found(asked)[0], [])
        programs.save(self.laptop.path("prices.md"), NOTE + b"more")
        self.assertEqual(self.change(asked), {1: [self.path]})
        programs.save(self.laptop.path("prices.md"), b"less")
        self.assertEqual(self.change(asked), {3: [self.path]})

    def change(self, asked):
        """The paths of the next event of a search, by the event's fields, without mere changes."""
        while True:
            request, number, fields = self.program.hear()
            self.assertEqual((request, number, list(fields)), (asked, 5, [30]))
            changes = wire.read_structure(fields[30][0])
            paths = {field: [wire.read_structure(row)[2][0] for row in rows]
                     for field, rows in changes.items() if field != 2}
            if paths:
                return paths

    def test_what_it_does_not_know_is_said_so(self):
        asked = self.program.ask(900)
        request, number, failure = self.program.hear()
        self.assertEqual((request, number, failure[1]), (asked, 4, [4]))


if __name__ == "__main__":
    unittest.main()
