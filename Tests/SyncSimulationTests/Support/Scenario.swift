import SyncCore
import SyncStore

@testable import SyncSimulation

/// A schedule that is written by hand: people act, things break, time passes, and all is checked.
struct Scenario {
    var world: Simulation
    /// What the scenario itself expected and did not find.
    private(set) var disappointments: [String] = []

    init(
        devices: Int = 2, kind: Plan.Kind = .everybody, joins: [Int: Int64] = [:],
        clockErrors: [Int: Int64] = [:], mutant: Mutant? = nil
    ) {
        let plan = Plan(devices: devices, kind: kind, joins: joins, clockErrors: clockErrors)
        world = Simulation(plan: plan, mutant: mutant)
        world.begin()
        settle(seconds: 5)
    }

    static let second: Int64 = 1_000_000_000

    mutating func expect(_ isSo: Bool, _ text: String) {
        if !isSo { disappointments.append(text) }
    }

    /// What was broken, and what was expected otherwise.
    mutating func end() -> [String] {
        let report = world.judge(isQuiet: world.comeToRest())
        return report.violations.map { "\($0.promise): \($0.text)" } + disappointments
    }

    // MARK: - Time

    mutating func settle(seconds: Int64 = 30) {
        world.run(until: world.now + seconds * Self.second)
    }

    mutating func wait(milliseconds: Int64) {
        world.run(until: world.now + milliseconds * 1_000_000)
    }

    /// Goes on until something has come about, at most for a minute.
    mutating func run(until hasComeAbout: (Simulation) -> Bool) {
        let hasCome = world.run(until: world.now + 60 * Self.second, or: hasComeAbout)
        expect(hasCome, "what was waited for came about")
    }

    // MARK: - What breaks

    mutating func goOffline(_ device: Int) {
        world.setLink(of: device, isUp: false)
        settle(seconds: 70)
    }

    mutating func goOnline(_ device: Int) { world.setLink(of: device, isUp: true) }

    /// The program of a device is dead for so long.
    mutating func crash(_ device: Int, seconds: Int64 = 5) {
        world.crashProgram(device, restartAfter: seconds * Self.second)
    }

    // MARK: - Files

    func path(_ text: String) -> [Name] {
        [Home.container, Home.documents] + text.split(separator: "/").map { Home.name(String($0)) }
    }

    /// `echo > file`, or a new file; the text is of so many new lines.
    mutating func write(_ name: String, lines: Int = 1, isBinary: Bool = false, on device: Int) {
        var bytes = isBinary ? Document.binaryMark : []
        for _ in 0..<lines { bytes += line() }
        save(bytes, to: name, having: [], .inPlace, on: device)
    }

    /// A document that is a package gets a line in each member, one after the other.
    mutating func savePackage(on device: Int) {
        var choice = RandomSource(seed: 7)
        world.savePackage(on: device, &choice)
        world.settlePersonalActs(on: device)
    }

    /// All lines are as long as each other.
    private mutating func line() -> [UInt8] {
        let token = world.ledger.newToken()
        return Document.line(token, count: 12) ?? []
    }

    private mutating func save(
        _ bytes: [UInt8], to name: String, having read: [Token], _ way: SavingWay, on device: Int
    ) {
        world.startSaving(bytes, to: path(name), having: read, way, on: device, 4)
        let program = world.devices[device].programsStarted
        while world.devices[device].programs[program] != nil {
            wait(milliseconds: 1)
            world.continueProgram(program, on: device)
        }
    }

    /// Opens an editor, which reads the file once.
    mutating func open(_ name: String, on device: Int) {
        let path = path(name)
        guard let text = world.read(path, on: device) else {
            return expect(false, "\(name) was there to be opened on \(device)")
        }
        world.noticeLater(device)
        world.devices[device].editors.removeAll { $0.path == path }
        world.devices[device].editors.append(
            Editor(path: path, text: text, tokens: Document.tokens(in: text)))
    }

    /// Saves from the open editor, with one more line at the end.
    mutating func save(_ name: String, _ way: SavingWay = .inPlace, on device: Int) {
        let added = line()
        saveChanged(name, way, on: device) { $0 + added }
    }

    /// Saves from the open editor, with one more line at the start.
    mutating func saveAtStart(_ name: String, on device: Int) {
        let added = line()
        saveChanged(name, .inPlace, on: device) { added + $0 }
    }

    /// Saves from the open editor, with another line instead of the last one.
    mutating func saveSameSize(_ name: String, on device: Int) {
        let other = line()
        saveChanged(name, .inPlace, on: device) { $0.dropLast(other.count) + other }
    }

    /// Saves the editor's text of so many saves ago again.
    mutating func undo(_ name: String, steps: Int, on device: Int) {
        let path = path(name)
        let editor = world.devices[device].editors.first { $0.path == path }
        saveChanged(name, .inPlace, on: device) { text in
            editor?.history.dropLast(steps - 1).last ?? text
        }
    }

    private mutating func saveChanged(
        _ name: String, _ way: SavingWay, on device: Int, _ change: ([UInt8]) -> [UInt8]
    ) {
        guard
            let place = world.devices[device].editors.firstIndex(where: { $0.path == path(name) })
        else { return expect(false, "\(name) was open on \(device)") }
        var editor = world.devices[device].editors[place]
        let before = editor.tokens
        editor.history.append(editor.text)
        editor.text = change(editor.text)
        editor.tokens = Document.tokens(in: editor.text)
        world.devices[device].editors[place] = editor
        save(editor.text, to: name, having: before, way, on: device)
    }

    mutating func move(_ name: String, to other: String, on device: Int) {
        world.move(path(name), to: path(other), on: device)
        world.settlePersonalActs(on: device)
    }

    mutating func makeFolder(_ name: String, on device: Int) {
        guard let place = world.devices[device].disk.place(of: path(name)) else { return }
        _ = try? world.devices[device].disk.create(.folder, at: place, mode: 0o755)
        world.settlePersonalActs(on: device)
    }

    /// `rm -r`.
    mutating func remove(_ name: String, on device: Int) {
        var choice = RandomSource(seed: 1)
        world.deleteFolder(path(name), on: device, &choice)
        let program = world.devices[device].programsStarted
        while world.devices[device].programs[program] != nil {
            world.continueProgram(program, on: device)
        }
    }

    /// A program opens the file for writing, and keeps it open.
    mutating func keepOpen(_ name: String, on device: Int) {
        guard let inode = world.devices[device].disk.inode(at: path(name)) else {
            return expect(false, "\(name) was there to be kept open on \(device)")
        }
        world.devices[device].disk.open(inode, forWriting: true)
    }

    mutating func endKeepingOpen(_ name: String, on device: Int) {
        guard let inode = world.devices[device].disk.inode(at: path(name)) else { return }
        world.devices[device].disk.close(inode, forWriting: true)
        world.noticeLater(device)
    }

    mutating func setMode(_ mode: UInt16, of name: String, on device: Int) {
        guard let inode = world.devices[device].disk.inode(at: path(name)) else { return }
        world.devices[device].disk.setMode(mode, of: inode)
        world.settlePersonalActs(on: device)
    }

    // MARK: - Key-values

    static let store = Array("org.ubiquity.notes".utf8)

    mutating func set(_ key: String, to value: String?, on device: Int) {
        let key = Array(key.utf8)
        let value = value.map { Array($0.utf8) }
        let number = world.ledger.note(setting: key, to: value ?? [], on: device, world.now)
        world.devices[device].unsavedSettings.append(number)
        world.report(
            .command(.setValue(store: Self.store, key: key, value: value)), to: device)
    }

    func value(_ key: String, on device: Int) -> String? {
        world.devices[device].replica?.value(store: Self.store, key: Array(key.utf8))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: - What is there

    /// As `wait` asks: when the watcher has passed all that happened before.
    mutating func saysInSync(_ device: Int) -> Bool {
        world.drainWatcher(device)
        return world.devices[device].replica?.status().isInSync == true
    }

    /// The entries of the account's log.
    var length: UInt64 { world.server.durable.position().number }

    /// The content of the version that shows, as numbers of lines.
    func shown(_ name: String) -> [Token]? {
        heads(name).first.flatMap { world.server.durable.content(of: $0) }.map(Document.tokens)
    }

    func facts(_ name: String) -> VersionFacts? {
        heads(name).first.flatMap { world.server.durable.versions[$0] }
            .flatMap { VersionFacts(bytes: $0.facts) }
    }

    /// The numbers of the lines; nil if there is no such file.
    func lines(_ name: String, on device: Int) -> [Token]? {
        guard let inode = world.devices[device].disk.inode(at: path(name)) else { return nil }
        return Document.tokens(in: world.devices[device].disk[inode].bytes)
    }

    /// The placed items of a name, wherever they are.
    func items(_ name: String) -> [ItemState] {
        world.server.durable.items.values.filter {
            $0.standing == .placed && $0.placement.name == Array(name.utf8)
        }
    }

    /// The versions with content that the account has of the one item of a name.
    func heads(_ name: String) -> [VersionID] {
        items(name).first?.heads.filter(\.hasContent).map(\.version) ?? []
    }

    /// Keeps one of the heads, by its place among them.
    mutating func settleConflict(_ name: String, keep place: Int, on device: Int) {
        guard let item = items(name).first, let replica = world.devices[device].replica else {
            return
        }
        let heads = replica.heads(of: item.id)
        guard heads.indices.contains(place) else { return }
        for (index, head) in heads.enumerated() where index != place {
            world.ledger.note(deletionOf: world.server.durable.content(of: head) ?? [])
        }
        let content = world.server.durable.versions[heads[place]]?.content ?? .none
        world.report(
            .command(
                .resolve(
                    item.id, keep: HeadContent(version: heads[place], content: content), aside: [],
                    seen: heads)), to: device)
    }
}
