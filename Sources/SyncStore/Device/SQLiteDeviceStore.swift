package import SyncCore
internal import SyncWire

/// A device's state in one SQLite file.
package final class SQLiteDeviceStore: DeviceStore {
    private let connection: SQLiteConnection

    /// Opens `state.db` in a folder that is there, or makes it.
    package init(folder: String) throws(StoreError) {
        connection = try SQLiteConnection(path: "\(folder)/state.db")
        try connection.migrate(to: .device)
        try FileSystem.syncFolder(folder)
    }

    /// Statements run since the file was opened, for tests that hold a budget.
    package var statementCount: Int { connection.statementCount }

    /// Carries the write-ahead log into the file; for a quiet moment.
    package func checkpoint() throws(StoreError) { try connection.checkpoint() }

    // MARK: Reading

    package func load() throws(StoreError) -> ReplicaImage {
        var image = ReplicaImage()
        image.progress = try connection.one(DeviceSQL.progress, []) { row throws(StoreError) in
            try ReplicaProgress(stored: row.blob(0))
        }
        try connection.each(DeviceSQL.nodes, []) { row throws(StoreError) in
            var record = try NodeRecord(stored: row.blob(1))
            record.settle()
            image.nodes[try row.id(0)] = record
            return true
        }
        try connection.each(DeviceSQL.aliases, []) { row throws(StoreError) in
            image.aliases[try row.id(0)] = try row.id(1)
            return true
        }
        try connection.each(DeviceSQL.outbox, []) { row throws(StoreError) in
            image.outbox[row.number(0)] = try OutboxEntry(row)
            return true
        }
        try connection.each(DeviceSQL.registers, []) { row throws(StoreError) in
            let key = RegisterKey(store: try row.id(0), key: try row.id(1))
            image.registers[key] = try RegisterRecord(stored: row.blob(2))
            return true
        }
        image.landmarks = try connection.all(DeviceSQL.landmarks, []) { row throws(StoreError) in
            Position(number: row.number(0), digest: try row.digest(1))
        }
        return image
    }

    package func ancestries(after number: UInt64) throws(StoreError) -> [Ancestry] {
        let values: [SQLiteValue] = [.number(number)]
        return try connection.all(DeviceSQL.ancestries, values) { row throws(StoreError) in
            Ancestry(child: try row.id(0), parents: try row.ids(1), number: row.number(2))
        }
    }

    package func content(_ version: VersionID) throws(StoreError) -> [UInt8]? {
        try connection.one(DeviceSQL.content, [.id(version)]) { $0.blob(0) }
    }

    package func identity() throws(StoreError) -> DeviceIdentity? {
        try connection.one(DeviceSQL.identity, []) { row throws(StoreError) in
            try DeviceIdentity(stored: row.blob(0))
        }
    }

    package func setting(_ name: String) throws(StoreError) -> [UInt8]? {
        try connection.one(DeviceSQL.setting, [.text(name)]) { $0.blob(0) }
    }

    // MARK: Writing

    package func commit(_ changes: [ReplicaChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        try connection.transaction { () throws(StoreError) in
            for change in changes { try apply(change) }
        }
    }

    package func setIdentity(
        _ identity: DeviceIdentity, clearing: Bool
    ) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            if clearing { try connection.execute(DeviceSQL.clear) }
            try connection.run(DeviceSQL.setIdentity, .blob(identity.encoded()))
        }
    }

    package func setSetting(_ name: String, _ value: [UInt8]?) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            if let value {
                try connection.run(DeviceSQL.setSetting, .text(name), .blob(value))
            } else {
                try connection.run(DeviceSQL.removeSetting, .text(name))
            }
        }
    }

    private func apply(_ change: ReplicaChange) throws(StoreError) {
        switch change {
        case .node(let item, let record?):
            try connection.run(DeviceSQL.setNode, .id(item), .blob(record.encoded()))
        case .node(let item, nil):
            try connection.run(DeviceSQL.removeNode, .id(item))
        case .alias(let item, let holder?):
            try connection.run(DeviceSQL.setAlias, .id(item), .id(holder))
        case .alias(let item, nil):
            try connection.run(DeviceSQL.removeAlias, .id(item))
        case .outbox(let entry, let record?):
            try set(record, as: entry)
        case .outbox(let entry, nil):
            try connection.run(DeviceSQL.removeEntry, .number(entry))
            try connection.run(DeviceSQL.removeBody, .number(entry))
        case .register(let key, let record?):
            try connection.run(
                DeviceSQL.setRegister, .id(key.store), .id(key.key), .blob(record.encoded()))
        case .register(let key, nil):
            try connection.run(DeviceSQL.removeRegister, .id(key.store), .id(key.key))
        case .ancestry(let ancestry):
            try connection.run(
                DeviceSQL.setAncestry, .id(ancestry.child), .blob(ancestry.parents.joined),
                .number(ancestry.number))
        case .ancestryLost(let number):
            try connection.run(
                DeviceSQL.loseAncestries, .number(number), .number(Ancestry.ofNoEntry))
        case .landmark(let position, let isKept):
            if isKept {
                try connection.run(
                    DeviceSQL.setLandmark, .number(position.number), .digest(position.digest))
            } else {
                try connection.run(DeviceSQL.removeLandmark, .number(position.number))
            }
        case .progress(let progress):
            try connection.run(DeviceSQL.setProgress, .blob(progress.encoded()))
        case .content(let version, let bytes?):
            try connection.run(DeviceSQL.setContent, .id(version), .blob(bytes))
        case .content(let version, nil):
            try connection.run(DeviceSQL.removeContent, .id(version))
        }
    }

    private func set(_ record: OutboxEntry, as entry: UInt64) throws(StoreError) {
        try connection.run(
            DeviceSQL.setEntry, .number(entry), .moment(record.made), .number(record.number),
            .integer(record.isUploaded ? 1 : 0), .number(record.accepted),
            .integer(record.awaitsConfirmation ? 1 : 0), .id(record.restsOn),
            .integer(record.wasSent ? 1 : 0))
        try connection.run(DeviceSQL.setBody, .number(entry), .blob(record.body.encoded()))
    }
}

extension Schema {
    static var device: Schema {
        Schema(
            applicationID: 1_430_413_412,
            steps: [Device0001.sql, Device0002.sql, Device0003.sql, Device0004.sql, Device0005.sql])
    }
}

extension OutboxEntry {
    fileprivate init(_ row: SQLiteRow) throws(StoreError) {
        self.init(
            body: try Operation.Body(stored: row.blob(5)), made: row.moment(1),
            number: row.isNull(2) ? nil : row.number(2), isUploaded: row.integer(3) != 0,
            accepted: row.isNull(4) ? nil : row.number(4), awaitsConfirmation: row.integer(6) != 0,
            restsOn: row.isNull(7) ? nil : try row.id(7), wasSent: row.integer(8) != 0)
    }
}
