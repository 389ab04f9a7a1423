import SyncCore

/// Which watch stands for what.
struct WatchTable {
    enum Subject: Hashable {
        case folder(ItemID)
        /// Items whose file has the watched inode; more than one if it has several names.
        case reading([ItemID])
        /// A folder of a package, or the package's own.
        case package(FileIdentity)
        case marker(Marker)
        case turn(PackageReaders.Turn)
        /// The watch that the next mark takes.
        case reserve

        /// It is learnt when it comes out of the queue.
        var isMark: Bool {
            switch self {
            case .marker, .turn: true
            case .folder, .reading, .package, .reserve: false
            }
        }
    }

    private(set) var subjects: [Int32: Subject] = [:]
    var readers = PackageReaders()
    private var folders: [ItemID: Int32] = [:]
    private var packages: [FileIdentity: Set<Int32>] = [:]
    /// The watches that stand for an item, with those that have fired and are not told of yet.
    private var readings: [ItemID: [Int32]] = [:]
    /// The watch of an item that has not fired yet, as far as is known.
    private var waiting: [ItemID: Int32] = [:]
    /// Those that wait by age, with some that wait no more.
    private var order: [(item: ItemID, watch: Int32)] = []
    private var oldest = 0

    var watchedFolders: [ItemID] { Array(folders.keys) }
    var waitingCount: Int { waiting.count }

    func isWaiting(_ item: ItemID) -> Bool { waiting[item] != nil }

    subscript(watch: Int32) -> Subject? { subjects[watch] }

    mutating func setMark(_ watch: Int32, _ mark: Subject) { subjects[watch] = mark }

    /// Gives the watch that the folder had before, if it was another.
    mutating func setFolder(_ folder: ItemID, _ watch: Int32) -> Int32? {
        if case .folder(let other)? = subjects[watch], other != folder { folders[other] = nil }
        subjects[watch] = .folder(folder)
        guard let old = folders.updateValue(watch, forKey: folder), old != watch else {
            return nil
        }
        subjects[old] = nil
        return old
    }

    mutating func removeFolder(_ folder: ItemID) -> Int32? {
        guard let watch = folders.removeValue(forKey: folder) else { return nil }
        subjects[watch] = nil
        return watch
    }

    func isWatching(package: FileIdentity) -> Bool { packages[package] != nil }

    /// True if the watch is a new one.
    mutating func addPackage(_ identity: FileIdentity, _ watch: Int32) -> Bool {
        if case .package(let other)? = subjects[watch], other != identity {
            packages[other]?.remove(watch)
        }
        subjects[watch] = .package(identity)
        return packages[identity, default: []].insert(watch).inserted
    }

    /// Gives the watches that stand for nothing now.
    mutating func removePackage(_ identity: FileIdentity) -> Set<Int32> {
        let watches = packages.removeValue(forKey: identity) ?? []
        for watch in watches { subjects[watch] = nil }
        return watches
    }

    mutating func addReading(_ item: ItemID, _ watch: Int32) {
        var items: [ItemID] = []
        if case .reading(let others)? = subjects[watch] { items = others.filter { $0 != item } }
        subjects[watch] = .reading(items + [item])
        readings[item, default: []].removeAll { $0 == watch }
        readings[item, default: []].append(watch)
        waiting[item] = watch
        order.append((item, watch))
    }

    /// The watch waits no more, but what it has seen already is still to be told.
    mutating func endReading(_ item: ItemID) -> Int32? { waiting.removeValue(forKey: item) }

    /// Nothing that the item's watches have seen is to be told; gives those that stand for nothing.
    mutating func forgetReading(_ item: ItemID) -> [Int32] {
        waiting[item] = nil
        return (readings.removeValue(forKey: item) ?? []).filter { watch in
            guard case .reading(let items)? = subjects[watch] else { return false }
            let others = items.filter { $0 != item }
            subjects[watch] = others.isEmpty ? nil : .reading(others)
            return others.isEmpty
        }
    }

    /// Ends the reading that has waited longest.
    mutating func endOldestReading() -> (item: ItemID, watch: Int32)? {
        while oldest < order.count {
            let entry = order[oldest]
            oldest += 1
            if oldest > 1_024, oldest * 2 > order.count {
                order.removeFirst(oldest)
                oldest = 0
            }
            if waiting[entry.item] == entry.watch {
                waiting[entry.item] = nil
                return entry
            }
        }
        return nil
    }

    /// The kernel has dropped the watch.
    mutating func drop(_ watch: Int32) -> Subject? {
        let subject = subjects.removeValue(forKey: watch)
        switch subject {
        case .folder(let folder)?: folders[folder] = nil
        case .reading(let items)?:
            for item in items {
                if waiting[item] == watch { waiting[item] = nil }
                readings[item]?.removeAll { $0 == watch }
                if readings[item]?.isEmpty == true { readings[item] = nil }
            }
        case .package(let identity)?:
            packages[identity]?.remove(watch)
            if packages[identity]?.isEmpty == true {
                packages[identity] = nil
                readers.forget(identity)
            }
        case .turn(let turn)?: readers.pass(turn)
        case .marker?, .reserve?, nil: break
        }
        return subject
    }
}
