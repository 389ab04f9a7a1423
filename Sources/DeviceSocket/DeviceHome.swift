import Glibc

/// The folder of one device: its containers, and in `.ubiquity` what is its own.
package struct DeviceHome: Hashable, Sendable {
    /// Absolute, without a slash at the end.
    package let path: [UInt8]

    /// Takes a relative path from the working directory.
    package init(path: [UInt8]) {
        var path = absolute(path)
        while path.count > 1, path.last == slash { path.removeLast() }
        self.path = path
    }

    package init(_ text: String) { self.init(path: Array(text.utf8)) }

    /// `UBIQUITY_HOME`, or `Ubiquity` in the person's home folder; nil if neither is set.
    package static func fromEnvironment() -> DeviceHome? {
        if let path = environment("UBIQUITY_HOME") { return DeviceHome(path: path) }
        guard let home = environment("HOME") else { return nil }
        return DeviceHome(path: home + Array("/Ubiquity".utf8))
    }

    package var containers: [UInt8] { path + Array("/Containers".utf8) }
    /// The device's own folder.
    package var state: [UInt8] { path + Array("/.ubiquity".utf8) }
    package var socket: [UInt8] { state + Array("/socket".utf8) }
    package var lock: [UInt8] { state + Array("/lock".utf8) }
}

extension DeviceHome {
    /// A file's path as ``DeviceCall`` has it, from a path that a person gave, absolute or from the
    /// working directory; nil if it lies in no container.
    ///
    /// Links above the file are followed and the file's own name is not: it may be a link that is
    /// synced. The file, and folders above it, need not be there.
    package func pathInContainers(_ given: [UInt8]) -> [UInt8]? {
        let root = resolved(containers) ?? containers
        let file = resolvedAbove(absolute(given))
        if file == root { return [] }
        guard file.starts(with: root + [slash]) else { return nil }
        return Array(file[(root.count + 1)...])
    }
}

private let slash = UInt8(ascii: "/")

private func environment(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    let bytes = unsafe bytesOf(value)
    return bytes.isEmpty ? nil : bytes
}

private func bytesOf(_ text: UnsafePointer<CChar>) -> [UInt8] {
    let count = unsafe strlen(text)
    return unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
}

private func absolute(_ path: [UInt8]) -> [UInt8] {
    guard path.first != slash, let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe bytesOf(folder) + [slash] + path
}

/// Without links and dots; nil if it is not there.
private func resolved(_ path: [UInt8]) -> [UInt8]? {
    let terminated = path.map { CChar(bitPattern: $0) } + [0]
    guard let result = unsafe realpath(terminated, nil) else { return nil }
    defer { unsafe free(result) }
    return unsafe bytesOf(result)
}

private func resolvedAbove(_ path: [UInt8]) -> [UInt8] {
    var names = path.split(separator: slash).map(Array.init)
    // What follows the deepest folder that is there, from the end.
    var rest: [[UInt8]] = []
    if let last = names.last, last != dot, last != twoDots, path.last != slash {
        rest.append(names.removeLast())
    }
    while true {
        let folder = names.flatMap { [slash] + $0 }
        if let found = resolved(folder.isEmpty ? [slash] : folder) {
            return joined(found, rest.reversed())
        }
        guard let name = names.popLast() else { return path }
        rest.append(name)
    }
}

private let dot = Array(".".utf8)
private let twoDots = Array("..".utf8)

/// Names that are not there have no links: their dots can be taken as they are written.
private func joined(_ folder: [UInt8], _ names: [[UInt8]]) -> [UInt8] {
    var parts = folder.split(separator: slash).map(Array.init)
    for name in names {
        if name == twoDots {
            _ = parts.popLast()
        } else if name != dot {
            parts.append(name)
        }
    }
    return parts.flatMap { [slash] + $0 }
}
