import DeviceSocket
import Foundation
import SyncCore

extension DeviceSession {
    /// A file's path below the folder that holds the containers; nil if it lies in none.
    func path(of url: URL) -> [UInt8]? {
        guard url.isFileURL, let home else { return nil }
        guard let path = home.pathInContainers(url.pathBytes), !path.isEmpty else { return nil }
        return path
    }

    /// The place of an item whose path the daemon gave.
    func url(ofItem path: [UInt8], isFolder: Bool) -> URL? {
        guard let home else { return nil }
        return fileURL(home.containers + [UInt8(ascii: "/")] + path, isFolder: isFolder)
    }
}

extension URL {
    /// The path as the kernel takes it.
    var pathBytes: [UInt8] {
        let path: [UInt8] = unsafe withUnsafeFileSystemRepresentation { pointer in
            guard let pointer = unsafe pointer else { return [] }
            let count = unsafe strlen(pointer)
            return unsafe UnsafeBufferPointer(start: pointer, count: count).map {
                UInt8(bitPattern: $0)
            }
        }
        // Foundation gives nothing for a path that is no text.
        return path.isEmpty ? decodedPathBytes : path
    }

    private var decodedPathBytes: [UInt8] {
        let text = Array(absoluteString.utf8)
        guard isFileURL, text.starts(with: "file://".utf8) else { return [] }
        var path: [UInt8] = []
        var rest = text.dropFirst("file://".utf8.count)
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let code = UInt8(digits, radix: 16) {
                path.append(code)
                rest = rest.dropFirst(2)
            } else {
                path.append(byte)
            }
        }
        return path.count > 1 && path.last == UInt8(ascii: "/") ? Array(path.dropLast()) : path
    }
}

/// A URL of a path that need not be text: each byte that is no UTF-8 stands as `%XX` in it.
func fileURL(_ path: [UInt8], isFolder: Bool) -> URL {
    if let text = String(validating: path, as: UTF8.self) {
        return URL(fileURLWithPath: text, isDirectory: isFolder)
    }
    var encoded = "file://"
    for byte in path {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            encoded.append(Character(UnicodeScalar(byte)))
        default:
            encoded += "%" + hexadecimal([byte]).uppercased()
        }
    }
    if isFolder, path.last != UInt8(ascii: "/") { encoded += "/" }
    return URL(string: encoded)
        ?? URL(fileURLWithPath: String(decoding: path, as: UTF8.self), isDirectory: isFolder)
}
