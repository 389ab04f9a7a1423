import SyncStore
import Testing

/// Files of earlier versions of the program.
@Suite struct MigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { "\(folder.path)/a.db" }

    private static let first: StaticString = """
        PRAGMA application_id = 77;
        CREATE TABLE note (text TEXT NOT NULL) STRICT;
        PRAGMA user_version = 1;
        """
    private static let second: StaticString = """
        ALTER TABLE note ADD COLUMN size INTEGER;
        UPDATE note SET size = length(text);
        PRAGMA user_version = 2;
        """
    private static let broken: StaticString = """
        DROP TABLE note;
        CREATE TABLE nonsense (;
        PRAGMA user_version = 2;
        """

    private let old = Schema(applicationID: 77, steps: [first])
    private let new = Schema(applicationID: 77, steps: [first, second])

    private func open(_ schema: Schema) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path)
        try connection.migrate(to: schema)
        return connection
    }

    private func makeOld() throws {
        try open(old).run("INSERT INTO note (text) VALUES (?1)", .text("four"))
    }

    @Test func bringsAnOldFileToTheNewFormat() throws {
        try makeOld()
        let connection = try open(new)
        #expect(try connection.one("SELECT size FROM note", []) { $0.integer(0) } == 4)
    }

    @Test func keepsACopyOfTheOldFile() throws {
        try makeOld()
        _ = try open(new)
        #expect(folder.names.contains("a.db.before-2"))
        let copy = try SQLiteConnection(path: "\(path).before-2")
        try copy.migrate(to: old)
        #expect(try copy.one("SELECT text FROM note", []) { $0.text(0) } == "four")
    }

    @Test func makesNoCopyOfANewFile() throws {
        _ = try open(new)
        _ = try open(new)
        #expect(!folder.names.contains { $0.contains("before") })
    }

    @Test func changesNothingIfAStepFails() throws {
        try makeOld()
        #expect(throws: StoreError.self) {
            try open(Schema(applicationID: 77, steps: [Self.first, Self.broken]))
        }
        #expect(try open(old).one("SELECT text FROM note", []) { $0.text(0) } == "four")
    }

    @Test func refusesALaterFile() throws {
        _ = try open(new)
        #expect(throws: StoreError.newerSchema(found: 2, known: 1)) { try open(old) }
    }

    @Test func letsSeveralOpenANewFileAtOnce() async throws {
        let (path, new) = (path, new)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let connection = try SQLiteConnection(path: path)
                    try connection.migrate(to: new)
                    try connection.run("INSERT INTO note (text, size) VALUES ('a', 1)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try open(new).one("SELECT count(*) FROM note", []) { $0.integer(0) } == 4)
    }
}
