/// What a database file holds: each step brings it from one version to the next.
///
/// A step is a text of statements that ends by setting `user_version` to its own number, so that
/// the change and the number that says so are committed together.
package struct Schema {
    /// Tells a server's file from a device's.
    package let applicationID: Int64
    package let steps: [StaticString]

    package init(applicationID: Int64, steps: [StaticString]) {
        self.applicationID = applicationID
        self.steps = steps
    }
}

extension SQLiteConnection {
    /// Brings the file to the newest version; a file of a later version is refused, untouched.
    ///
    /// Before an older file is changed, a copy of it is put beside it, durable, as
    /// `NAME.before-VERSION`, where VERSION is the one that it was brought to.
    package func migrate(to schema: Schema) throws(StoreError) {
        let found = try checkedVersion(schema)
        guard found < schema.steps.count else { return }
        if found > 0 { try keepCopy(before: schema.steps.count) }
        try transaction { () throws(StoreError) in
            // Another process may have done it since.
            let version = try checkedVersion(schema)
            for step in schema.steps.dropFirst(version) { try execute(step) }
            guard try schemaVersion() == schema.steps.count else {
                throw .corrupt("the file did not take the new format")
            }
        }
    }

    private func checkedVersion(_ schema: Schema) throws(StoreError) -> Int {
        let version = try schemaVersion()
        let application = try one(SettingsSQL.applicationID, []) { $0.integer(0) } ?? 0
        let tables = try one(SettingsSQL.tableCount, []) { $0.integer(0) } ?? 0
        let isEmpty = version == 0 && application == 0 && tables == 0
        guard isEmpty || application == schema.applicationID else {
            throw .corrupt("it is a database of another program")
        }
        guard version <= schema.steps.count else {
            throw .newerSchema(found: version, known: schema.steps.count)
        }
        return version
    }

    private func schemaVersion() throws(StoreError) -> Int {
        Int(try one(SettingsSQL.userVersion, []) { $0.integer(0) } ?? 0)
    }

    private func keepCopy(before version: Int) throws(StoreError) {
        try snapshot(to: "\(path).before-\(version)")
    }

    /// Writes a copy of the committed state to a new file, durable and whole or not there at all.
    package func snapshot(to target: String) throws(StoreError) {
        let partial = "\(target).partial"
        try FileSystem.removeIfThere(partial)
        try FileSystem.makePrivateFile(partial)
        try run(SettingsSQL.snapshot, .text(partial))
        try FileSystem.publish(partial, as: target)
    }
}
