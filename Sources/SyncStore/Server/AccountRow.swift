internal import SyncCore
internal import SyncWire

/// How a version's content lies in its row.
enum ContentForm: Int64 {
    case none = 0
    /// The content itself.
    case inline = 1
    /// The references to its chunks.
    case chunks = 2
}

extension StoredContent {
    /// The row's form and blob.
    var columns: (form: ContentForm, blob: SQLiteValue) {
        switch self {
        case .none: (.none, .null)
        case .inline(let bytes): (.inline, .blob(bytes))
        case .chunks: (.chunks, .blob(encoded()))
        }
    }
}

extension SQLiteRow {
    /// Columns 0 to 5: id, parents, nature, facts, form, content.
    func version() throws(StoreError) -> Version {
        Version(
            id: try id(0), parents: try ids(1), nature: try nature(2), facts: blob(3),
            content: try content(form: 4, 5))
    }

    /// Columns 0 to 10: the version's, then item, number, author, moment, whether the content was
    /// collected.
    func versionMessage() throws(StoreError) -> VersionMessage {
        VersionMessage(
            version: try version(), item: try id(6), number: number(7), author: try id(8),
            moment: moment(9), isCollected: integer(10) != 0)
    }

    /// Columns 0 to 5: store, register, name, write, value, stamp.
    func register() throws(StoreError) -> RegisterState {
        RegisterState(
            register: RegisterKey(store: try id(0), key: try id(1)), name: blob(2),
            write: try id(3), value: optionalBlob(4), stamp: moment(5))
    }

    func nature(_ column: Int32) throws(StoreError) -> Version.Nature {
        guard let raw = UInt8(exactly: integer(column)), let nature = Version.Nature(rawValue: raw)
        else { throw .corrupt("a version has nature \(integer(column))") }
        return nature
    }

    /// Ids of 16 bytes, one after the other.
    func ids<Subject>(_ column: Int32) throws(StoreError) -> [Identifier<Subject>] {
        let bytes = blob(column)
        guard !bytes.isEmpty else { return [] }
        var ids: [Identifier<Subject>] = []
        for start in stride(from: 0, to: bytes.count, by: 16) {
            guard let id = Identifier<Subject>(bytes: bytes[start...].prefix(16)) else {
                throw .corrupt("a list of ids has \(bytes.count) bytes")
            }
            ids.append(id)
        }
        return ids
    }

    /// Content that was left out, or collected, reads as none.
    private func content(form: Int32, _ column: Int32) throws(StoreError) -> StoredContent {
        guard let kind = ContentForm(rawValue: integer(form)) else {
            throw .corrupt("a version's content has form \(integer(form))")
        }
        guard let bytes = optionalBlob(column) else { return .none }
        return switch kind {
        case .none: .none
        case .inline: .inline(bytes)
        case .chunks: try StoredContent(stored: bytes)
        }
    }
}

extension [VersionID] {
    /// What ``SQLiteRow/ids(_:)`` reads.
    var joined: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 16)
        for id in self {
            bytes.append(bigEndian: id.high)
            bytes.append(bigEndian: id.low)
        }
        return bytes
    }
}
