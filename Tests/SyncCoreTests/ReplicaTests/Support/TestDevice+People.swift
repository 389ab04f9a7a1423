import SyncCore

/// What people and their programs do in `Documents`.
extension TestDevice {
    func names(_ path: String) -> [Name] {
        [TestDevice.container, TestDevice.documents]
            + path.split(separator: "/").map { TestDevice.name(String($0)) }
    }

    private func place(_ path: String) -> TestDisk.Place {
        guard let place = disk.place(of: names(path)) else {
            preconditionFailure("no folder for \(path)")
        }
        return place
    }

    func inode(_ path: String) -> Inode {
        guard let inode = disk.inode(at: names(path)) else {
            preconditionFailure("\(path) is not there")
        }
        return inode
    }

    /// Writes in place, as `echo > file`: nothing of the old content is read.
    func write(_ path: String, _ text: String) {
        if let inode = disk.inode(at: names(path)) {
            disk.write(Array(text.utf8), to: inode)
        } else {
            disk.create(.file, at: place(path), Array(text.utf8))
        }
    }

    /// Opens the file in an editor, which reads it.
    func open(_ path: String) {
        if let item = disk.read(inode(path)) {
            watch()
            report(.opened(item))
            run()
        }
    }

    /// Reads, then writes in place: an edit of what is there.
    func edit(_ path: String, _ text: String) {
        open(path)
        write(path, text)
    }

    /// Writes a temporary file and renames it over the file.
    func saveByRename(_ path: String, _ text: String, through temporary: String) {
        write(temporary, text)
        move(temporary, to: path)
    }

    /// As vim without `backupcopy`: the old file becomes `path~`, a new one is written.
    func saveWithBackup(_ path: String, _ text: String) {
        move(path, to: path + "~")
        write(path, text)
    }

    /// Writes a package as a whole; it is a leaf of this disk.
    func writePackage(_ path: String, _ texts: [String: String], modified: Int64 = 1) {
        let bytes = package(texts, modified: modified)
        if let inode = disk.inode(at: names(path)) {
            disk.write(bytes, to: inode)
        } else {
            disk.create(.package, at: place(path), bytes)
        }
    }

    func readPackage(_ path: String) -> [String: String]? {
        disk.inode(at: names(path)).flatMap { disk.files[$0] }
            .flatMap { $0.kind == .package ? texts(ofPackage: $0.bytes) : nil }
    }

    func makeFolder(_ path: String) { disk.create(.folder, at: place(path)) }
    func makeLink(_ path: String, to target: String) {
        disk.create(.link, at: place(path), Array(target.utf8))
    }
    func makeHardLink(_ path: String, to other: String) {
        disk.link(inode(other), at: place(path))
    }
    func move(_ path: String, to other: String) {
        disk.move(place(path), to: place(other))
    }
    func swap(_ one: String, _ other: String) { disk.exchange(place(one), place(other)) }
    func remove(_ path: String) { disk.remove(place(path)) }
    func setMode(_ mode: UInt16, of path: String) { disk.setMode(mode, of: inode(path)) }
    func setModified(_ seconds: Int64, of path: String) {
        disk.setModified(FileTime(seconds: seconds, nanoseconds: 250_000_000), of: inode(path))
    }

    // MARK: Documents itself

    private var documentsPlace: TestDisk.Place {
        guard let place = disk.place(of: names("")) else { preconditionFailure("no container") }
        return place
    }

    private func outside(_ name: String) -> TestDisk.Place {
        .init(folder: disk.staging, name: TestDevice.name(name))
    }

    func moveDocuments(to name: String) { disk.move(documentsPlace, to: outside(name)) }
    func moveDocuments(from name: String) { disk.move(outside(name), to: documentsPlace) }
    func makeDocuments() { disk.create(.folder, at: documentsPlace) }
    func removeDocuments() { disk.remove(documentsPlace) }

    // MARK: What is there

    func item(_ path: String) -> ItemID? { replica?.item(at: LocalPath(names: names(path))) }

    func read(_ path: String) -> String? {
        disk.inode(at: names(path)).flatMap { disk.files[$0] }
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Everything under `Documents`: files by path with their text, folders with a `/` at the end,
    /// links with an arrow.
    var tree: [String: String] {
        var tree: [String: String] = [:]
        for (names, file) in files(in: names("")) {
            let path = names.dropFirst(2).map(\.text).joined(separator: "/")
            let text = String(decoding: file.bytes, as: UTF8.self)
            switch file.kind {
            case .folder: tree[path + "/"] = ""
            case .link: tree[path] = "-> " + text
            case .file, .other, .package: tree[path] = text
            }
        }
        return tree
    }

    /// All that is not ignored below a path.
    func files(in path: [Name]) -> [[Name]: TestDisk.File] {
        var found: [[Name]: TestDisk.File] = [:]
        var open = [path]
        while let folder = open.popLast() {
            guard let inode = disk.inode(at: folder) else { continue }
            for (name, child) in disk.files[inode]?.entries ?? [:] {
                guard !IgnoredNames.contains(name), let file = disk.files[child] else { continue }
                found[folder + [name]] = file
                if file.kind == .folder { open.append(folder + [name]) }
            }
        }
        return found
    }
}
