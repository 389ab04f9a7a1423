import SyncCore
import SyncStore
import Testing

/// Devices of one account and its server, on one virtual clock; most often two.
final class TestWorld {
    let cloud = TestCloud()
    let devices: [TestDevice]
    var a: TestDevice { devices[0] }
    var b: TestDevice { devices[1] }

    /// All devices are online, with the container there.
    init(_ names: [String] = ["a", "b"]) {
        devices = names.map { [cloud] in TestDevice($0, cloud: cloud) }
        for device in devices {
            device.start()
            device.goOnline()
            settle()
        }
    }

    /// All devices hold these files, and everything rests.
    convenience init(_ files: [String: String], on names: [String] = ["a", "b"]) {
        self.init(names)
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            if path.hasSuffix("/") { a.makeFolder(path) } else { a.write(path, text) }
        }
        settle()
        for path in files.keys where !path.hasSuffix("/") {
            for device in devices.dropFirst() { device.open(path) }
        }
    }

    func goOffline() { for device in devices { device.goOffline() } }

    /// Lets time pass on all devices until nothing more happens, or for so long.
    func settle(seconds: Int64 = 600) {
        let end = a.now + seconds * 1_000_000_000
        for _ in 0..<2_000 {
            while step() {}
            let wakes = devices.compactMap { $0.wakeAt?.nanoseconds }
            guard let next = wakes.min(), next <= end else { return }
            pass(to: max(next, a.now))
            for device in devices where device.wakeAt.map({ $0.nanoseconds <= a.now }) ?? false {
                device.wake()
            }
        }
        Issue.record("it does not come to rest: \(devices.map { $0.replica?.status().unsettled })")
    }

    func pass(milliseconds: Int64) { pass(to: a.now + milliseconds * 1_000_000) }

    private func pass(to instant: Int64) {
        for device in devices { device.now = instant }
        cloud.now = instant
    }

    /// One turn of all; false if nothing was to be done.
    private func step() -> Bool {
        var isBusy = false
        for device in devices where device.replica != nil {
            if !device.disk.notices.isEmpty { isBusy = true }
            device.watch()
            if device.exchange() { isBusy = true }
            if !device.incoming.isEmpty { isBusy = true }
            device.deliver()
        }
        return isBusy
    }

    // MARK: Checking

    /// Everything comes to rest, all trees are the account's, and a restart changes nothing.
    func finish(_ location: SourceLocation = #_sourceLocation) {
        settle()
        check(location)
        let length = cloud.length
        // By names' bytes: Strings that look alike are equal.
        let trees = devices.map { $0.files(in: []).mapValues(\.bytes) }
        for device in devices { device.restart() }
        settle()
        check(location)
        #expect(cloud.length == length, "a restart was told", sourceLocation: location)
        let restarted = devices.map { $0.files(in: []).mapValues(\.bytes) }
        #expect(restarted == trees, sourceLocation: location)
    }

    func check(_ location: SourceLocation = #_sourceLocation) {
        for device in devices { check(device, location) }
    }

    private func check(_ device: TestDevice, _ location: SourceLocation) {
        guard let replica = device.replica else {
            Issue.record("\(device.id) does not run", sourceLocation: location)
            return
        }
        let status = replica.status()
        if replica.isQuiet != replica.unrest.isEmpty {
            Issue.record("\(device.id) rests: \(replica.unrest)", sourceLocation: location)
        }
        if !status.isInSync {
            Issue.record(
                """
                \(device.id) is not in sync: \(status.outbox) to send, \(status.downloads) \
                owed, quiet: \(replica.isQuiet), \(status.unsettled)
                """, sourceLocation: location)
        }
        for difference in differences(of: device) {
            Issue.record("\(device.id): \(difference)", sourceLocation: location)
        }
    }

    private func differences(of device: TestDevice) -> [String] {
        var differences: [String] = []
        let files = device.files(in: [])
        let paths = cloud.paths
        for (path, file) in files {
            let text = path.map(\.text).joined(separator: "/")
            guard let state = paths[path] else {
                differences.append("\(text) is not in the account")
                continue
            }
            guard file.kind != .folder else { continue }
            let shown = cloud.contents(state).first
            if shown != file.bytes { differences.append("\(text) has other content") }
        }
        for path in paths.keys where files[path] == nil {
            differences.append("\(path.map(\.text).joined(separator: "/")) is not on the disk")
        }
        return differences + imageDifferences(of: device)
    }

    /// The durable trees against the account's and the disk.
    private func imageDifferences(of device: TestDevice) -> [String] {
        let image = device.store.committed.replica
        var differences: [String] = []
        if !image.outbox.isEmpty { differences.append("the outbox is not empty") }
        for state in cloud.items.values where state.standing == .placed {
            let record = image.nodes[state.id]
            let name = String(decoding: state.placement.name, as: UTF8.self)
            if record?.remote != state { differences.append("the remote tree has another \(name)") }
            guard let base = record?.base else {
                differences.append("the base tree lacks \(name)")
                continue
            }
            if base.placement != state.placement.id || base.isParked {
                differences.append("the base tree has \(name) elsewhere")
            }
            if base.version != state.heads.first?.version {
                differences.append("the base tree has another version of \(name)")
            }
        }
        for (id, record) in image.nodes where record.base != nil {
            if cloud.items[id]?.standing != .placed {
                differences.append("the base tree has \(id), which is not placed")
            }
        }
        return differences
    }

    // MARK: The account

    func texts(_ path: String) -> [String] {
        guard let state = state(path) else { return [] }
        return cloud.texts(state)
    }

    func state(_ path: String) -> ItemState? {
        let names =
            [TestDevice.container, TestDevice.documents]
            + path.split(separator: "/").map { TestDevice.name(String($0)) }
        return cloud.paths[names]
    }

    /// How many items of the account are in conflict.
    var conflicts: Int {
        cloud.items.values.filter { $0.heads.filter(\.hasContent).count > 1 }.count
    }

    var trash: [String] {
        cloud.items.values.filter { $0.standing == .trashed }
            .map { String(decoding: $0.placement.name, as: UTF8.self) }.sorted()
    }
}
