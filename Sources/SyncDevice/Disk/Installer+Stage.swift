import Glibc
import SyncCore
import SyncStore

/// The first half of a batch: contents are put together where nobody sees them.
extension Installer {
    enum Preparation {
        case ready(InstallJob, StagedEntry?)
        case over(JobOutcome)
    }

    func prepare(_ installation: Installation, syncs: Bool) -> Preparation {
        let job = installation.job
        do {
            switch job.task {
            case .placeFile(_, _, let facts, _):
                guard let file = try stagedFile(installation.content) else {
                    return .over(.contentMissing)
                }
                guard try file.complete(as: facts, syncs: syncs) else {
                    return .over(.contentMissing)
                }
                return .ready(job, file.entry)
            case .placeLink(_, _, let facts, _):
                guard case .bytes(let target) = installation.content else {
                    return .over(.contentMissing)
                }
                guard UInt64(target.count) == facts.size, SHA256.hash(target) == facts.digest else {
                    return .over(.contentMissing)
                }
                return .ready(job, try stagedLink(target, facts))
            case .placePackage(_, _, let facts, _):
                guard let package = try stagedPackage(installation.content, facts, syncs: syncs)
                else { return .over(.contentMissing) }
                return .ready(job, package)
            case .makeFolder, .setMode, .remove, .move, .park, .unpark:
                return .ready(job, nil)
            }
        } catch {
            return .over(.failed(error.failure))
        }
    }

    private func stagedFile(
        _ content: Installation.Content
    ) throws(DiskError) -> StagedFile? {
        switch content {
        case .none: return nil
        case .staged(let file): return file
        case .bytes(let bytes):
            let file = try stage()
            try file.append(bytes)
            return file
        }
    }

    private func stagedLink(
        _ target: [UInt8], _ facts: VersionFacts
    ) throws(DiskError) -> StagedEntry {
        // Linux has no link to nothing, and none with a zero in it.
        guard !target.isEmpty, !target.contains(0) else {
            throw DiskError(code: EILSEQ, call: "symlinkat")
        }
        let spot = newSpot()
        try FileSystemCalls.makeLink(spot, target: target)
        let entry = StagedEntry(spot)
        try tolerating { () throws(DiskError) in
            try FileSystemCalls.setModified(spot, facts.modified)
        }
        return entry
    }
}
