import Glibc
package import SyncCore
import Synchronization

/// Changes the tree on disk, and never destroys what nobody knew.
///
/// It works on the thread that calls it, which is one at a time.
///
/// What is durable before what: a content is durable under its staging name before it gets its
/// real one, so that a power cut never leaves a short file in a person's folder; the changed
/// folders are durable before ``perform(_:)`` returns, so that whatever the planner then records
/// is true. A batch of more than a few changes shares one `syncfs` for each of the two.
///
/// A reading watch on a file that an install is to replace or remove counts our own look at it:
/// tell ``Watcher/forgetReading(_:)`` before.
package final class Installer: Sendable {
    let folders: DeviceFolders
    /// Names that do not keep a folder from being removed.
    let isIgnored: @Sendable (Name) -> Bool
    /// Told what happens while it happens; the new file can be watched before it can be read.
    let observe: @Sendable (InstallJob, InstallMoment) -> Void
    private let lastNumber = Atomic<UInt64>(0)

    package init(
        _ folders: DeviceFolders, isIgnored: @escaping @Sendable (Name) -> Bool,
        observe: @escaping @Sendable (InstallJob, InstallMoment) -> Void = { _, _ in }
    ) {
        self.folders = folders
        self.isIgnored = isIgnored
        self.observe = observe
    }

    /// Begins a file that is too long for memory.
    package func stage() throws(DiskError) -> StagedFile {
        try StagedFile(newSpot())
    }

    package func perform(_ installation: Installation) -> JobOutcome {
        perform([installation])[0]
    }

    /// Does the jobs in their order; all that is reported as done is durable.
    package func perform(_ batch: [Installation]) -> [JobOutcome] {
        let syncsEach = batch.count <= Self.syncedOneByOne
        let prepared = batch.map { prepare($0, syncs: syncsEach) }
        if !syncsEach {
            do {
                try FileSystemCalls.syncAll(folders.staging)
            } catch {
                return batch.map { _ in .failed(error.failure) }
            }
        }
        var changes = ChangedFolders()
        let outcomes = prepared.map { step in
            switch step {
            case .over(let outcome): outcome
            case .ready(let job, let staged): carryOut(job, staged, &changes)
            }
        }
        do {
            try changes.sync(any: folders.staging)
            return outcomes
        } catch {
            return outcomes.map { $0.isDone ? .failed(error.failure) : $0 }
        }
    }

    func nextNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

    func newSpot() -> Spot { Spot(folders.staging, StagingName.fresh(nextNumber()).text) }

    private static var syncedOneByOne: Int { 4 }
}

/// A job with the content that it needs.
package struct Installation {
    package let job: InstallJob
    package let content: Content

    package enum Content {
        /// For jobs that bring none.
        case none
        case bytes([UInt8])
        case staged(StagedFile)
    }

    package init(_ job: InstallJob, _ content: Content = .none) {
        self.job = job
        self.content = content
    }
}

/// A point within a job, for whoever observes.
package enum InstallMoment: Sendable {
    /// The new file is complete and nobody can have read it: the time to watch it.
    case staged(Descriptor)
    /// What stood at the name is out of the tree and not judged yet.
    case swapped
    /// A content that nobody knew could not stay where it was: it lies in this folder of
    /// `set-aside`.
    case setAside(Name)
}

extension JobOutcome {
    fileprivate var isDone: Bool {
        if case .done = self { true } else { false }
    }
}
