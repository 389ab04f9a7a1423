import SyncCore

/// A package of text files by their paths, with the folders that these need.
func package(_ texts: [String: String], modified: Int64 = 1, mode: UInt16 = 0o644) -> [UInt8] {
    var members: [[UInt8]: (PackageMember, [UInt8])] = [:]
    for (path, text) in texts {
        let names = path.split(separator: "/").map { Array($0.utf8) }
        for count in 1..<max(1, names.count) {
            let folder = Array(names[..<count].joined(separator: [0x2F]))
            members[folder] = (member(folder, .folder, 0o755, 0), [])
        }
        let bytes = Array(text.utf8)
        let path = Array(path.utf8)
        members[path] = (member(path, .file, mode, modified, size: bytes.count), bytes)
    }
    let sorted = members.values.sorted { isPath($0.0.path, before: $1.0.path) }
    guard let list = PackageList(sorted.map { $0.0 }),
        let content = PackageContent(list, contents: sorted.map { $0.1 })
    else { preconditionFailure("no package: \(texts)") }
    return content.bytes
}

func member(
    _ path: [UInt8], _ kind: PackageMember.Kind, _ mode: UInt16, _ seconds: Int64, size: Int = 0
) -> PackageMember {
    PackageMember(
        path: path, kind: kind, mode: mode,
        modified: FileTime(seconds: seconds, nanoseconds: 5), size: UInt64(size))
}

func member(_ path: String, _ kind: PackageMember.Kind = .file, size: Int = 0) -> PackageMember {
    member(Array(path.utf8), kind, 0o644, 1, size: size)
}

/// The texts of a package's files; nil if the bytes are no package.
func texts(ofPackage bytes: [UInt8]) -> [String: String]? {
    guard let content = PackageContent(bytes: bytes) else { return nil }
    var texts: [String: String] = [:]
    for (member, bytes) in zip(content.list.members, content.contents)
    where member.kind == .file {
        texts[String(decoding: member.path, as: UTF8.self)] = String(decoding: bytes, as: UTF8.self)
    }
    return texts
}
