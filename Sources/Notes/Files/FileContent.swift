import Foundation
import Glibc

/// Files as wholes.
enum FileContent {
    /// All bytes of a file, and what it was when they were read.
    static func read(_ path: [UInt8]) throws(FileFailure) -> (bytes: [UInt8], facts: FileFacts) {
        let file = try FileSystem.open(path, O_RDONLY)
        let facts = try FileSystem.look(file)
        guard facts.kind == .file else { throw FileFailure(path: path, code: EISDIR) }
        return (try rest(of: file, expected: facts.size), facts)
    }

    /// All that comes until the end.
    static func readInput() throws(FileFailure) -> [UInt8] {
        let input = OpenFile(number: dup(STDIN_FILENO), path: Array("standard input".utf8))
        guard input.number >= 0 else { throw .last(input.path) }
        return try rest(of: input, expected: 0)
    }

    static func writeOutput(_ bytes: [UInt8]) throws(FileFailure) {
        let output = OpenFile(number: dup(STDOUT_FILENO), path: Array("standard output".utf8))
        guard output.number >= 0 else { throw .last(output.path) }
        try FileSystem.write(bytes[...], to: output)
    }

    private static func rest(
        of file: borrowing OpenFile, expected: UInt64
    ) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: expected))
        var buffer = [UInt8](repeating: 0, count: Int(clamping: min(max(expected + 1, 4096), mib)))
        while true {
            let count = try FileSystem.read(file, &buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Whether two files have the same bytes; a link or a folder has none.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) throws(FileFailure) -> Bool {
        guard let first = try FileSystem.look(one), let second = try FileSystem.look(other),
            first.kind == .file, second.kind == .file, first.size == second.size
        else { return false }
        let left = try FileSystem.open(one, O_RDONLY)
        let right = try FileSystem.open(other, O_RDONLY)
        return try areEqual(left, right, size: first.size)
    }

    private static func areEqual(
        _ one: borrowing OpenFile, _ other: borrowing OpenFile, size: UInt64
    ) throws(FileFailure) -> Bool {
        var left = [UInt8](repeating: 0, count: Int(clamping: min(max(size, 1), mib)))
        var right = left
        var offset = 0
        while true {
            let count = try FileSystem.read(one, &left, at: offset)
            guard try FileSystem.read(other, &right, at: offset) == count else { return false }
            if count == 0 { return true }
            guard left[..<count] == right[..<count] else { return false }
            offset += count
        }
    }
}

private let mib: UInt64 = 1 << 20
