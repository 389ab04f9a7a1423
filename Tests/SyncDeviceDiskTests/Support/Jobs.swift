import SyncCore

@testable import SyncDevice

extension Installer {
    convenience init(_ home: TemporaryHome) {
        self.init(home.folders, isIgnored: { $0.text == ".DS_Store" || $0.text.hasSuffix("~") })
    }

    func place(
        _ text: String, at path: String, expected: FileStamp? = nil, _ facts: VersionFacts? = nil,
        item number: UInt64 = 1
    ) -> JobOutcome {
        let facts = facts ?? SyncDeviceDiskTests.facts(text)
        let bytes = Array(text.utf8)
        return perform(
            .placeFile(at: local(path), .inline(bytes), facts, expected: expected),
            .bytes(bytes), item: number)
    }

    func placeLink(
        to target: String, at path: String, expected: FileStamp? = nil,
        _ facts: VersionFacts? = nil
    ) -> JobOutcome {
        let facts = facts ?? SyncDeviceDiskTests.facts(target)
        let bytes = Array(target.utf8)
        return perform(
            .placeLink(at: local(path), .inline(bytes), facts, expected: expected), .bytes(bytes))
    }

    func perform(
        _ task: InstallJob.Task, _ content: Installation.Content = .none, item number: UInt64 = 1
    ) -> JobOutcome {
        perform(Installation(InstallJob(id: 1, item: item(number), task: task), content))
    }
}

extension JobOutcome {
    /// The stamp of something done.
    var stamp: FileStamp? {
        if case .done(let stamp) = self { stamp } else { nil }
    }

    /// Whether something else than expected stands there, and is this.
    func found(_ stamp: FileStamp) -> Bool {
        if case .unexpected(let entry?) = self {
            entry.stamp.isUntouched(since: stamp)
        } else {
            false
        }
    }

    var isUnexpected: Bool {
        if case .unexpected = self { true } else { false }
    }
}
