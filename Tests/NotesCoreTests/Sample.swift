import Foundation
import NotesCore

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func texts(_ list: [[UInt8]]) -> [String] { list.map(text) }

func note(_ content: String, _ path: String = "Note.md") -> Note {
    Note(path: NotePath(bytes(path)), bytes: bytes(content))
}

/// The vault of another notes app that the tests read.
let vault = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Cases/obsidian-vault", isDirectory: true)

func vaultNote(_ path: String) throws -> Note {
    Note(
        path: NotePath(bytes(path)),
        bytes: Array(try Data(contentsOf: vault.appendingPathComponent(path))))
}

/// A generator whose numbers depend on the seed alone.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
