import SyncCore
import Testing

@testable import SyncSimulation

@Suite("The simulated disk")
struct DiskTests {
    private func name(_ text: String) -> Name { Home.name(text) }

    private func place(_ disk: SimulatedDisk, _ text: String) -> DiskPlace {
        DiskPlace(folder: disk.containers, name: name(text))
    }

    @Test("uses an inode again, with another birth")
    func inodeReuse() throws {
        var disk = SimulatedDisk(clock: 1_000_000_000_000)
        let first = try disk.create(.file, at: place(disk, "a"), mode: 0o644)
        let before = disk.stamp(of: first).identity
        try disk.unlink(place(disk, "a"), by: .person)
        let second = try disk.create(.file, at: place(disk, "b"), mode: 0o644)
        let after = disk.stamp(of: second).identity
        #expect(before.inode == after.inode)
        #expect(before != after)
    }

    @Test("exchanges two names and tells the watcher of both")
    func exchange() throws {
        var disk = SimulatedDisk(clock: 1_000_000_000_000)
        disk.watchedFolders = [disk.containers]
        let first = try disk.create(.file, at: place(disk, "a"), mode: 0o644)
        let second = try disk.create(.file, at: place(disk, "b"), mode: 0o644)
        disk.notices = []
        try disk.exchange(place(disk, "a"), place(disk, "b"))
        #expect(disk.inode(at: place(disk, "a")) == second)
        #expect(disk.inode(at: place(disk, "b")) == first)
        #expect(disk.notices.contains(.changed(place(disk, "a"))))
        #expect(disk.notices.contains(.changed(place(disk, "b"))))
    }

    @Test("keeps a file without a name while it is open")
    func openAndUnlinked() throws {
        var disk = SimulatedDisk(clock: 1_000_000_000_000)
        let file = try disk.create(.file, at: place(disk, "a"), mode: 0o644)
        disk.open(file, forWriting: true)
        try disk.unlink(place(disk, "a"), by: .person)
        try disk.write([1], to: file, save: nil, by: .person)
        #expect(disk[file].bytes == [1])
        disk.close(file, forWriting: true)
        #expect(disk.inodes[file].isFree)
    }

    @Test("keeps what was flushed when the power fails")
    func powerFailure() throws {
        for seed in 0..<50 {
            var random = RandomSource(seed: UInt64(seed))
            var disk = SimulatedDisk(clock: 1_000_000_000_000)
            let file = try disk.create(
                .file, at: place(disk, "a"), mode: 0o644, bytes: [1, 2, 3])
            disk.flush(file)
            _ = try disk.create(.file, at: place(disk, "b"), mode: 0o644, bytes: [4, 5, 6])
            _ = disk.losePower(&random)
            let kept = try #require(disk.inode(at: place(disk, "a")))
            #expect(disk[kept].bytes == [1, 2, 3])
        }
    }

    @Test("tells of a reader once")
    func readers() throws {
        var disk = SimulatedDisk(clock: 1_000_000_000_000)
        let file = try disk.create(.file, at: place(disk, "a"), mode: 0o644)
        let item = ItemID(high: 1, low: 2)
        disk.watchReaders(of: file, for: item)
        for _ in 0..<2 {
            disk.open(file, forWriting: false)
            disk.close(file, forWriting: false)
        }
        #expect(disk.notices == [.opened(item)])
    }
}
