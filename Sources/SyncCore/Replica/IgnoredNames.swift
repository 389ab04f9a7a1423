/// The temporary names of programs, which are left alone: they are neither sent nor touched.
///
/// The list is in `Docs/Files.md`; `ubiquity why` explains it for a path. It has the backup, lock
/// and swap files of editors, the temporary files of Foundation, and what Apple's cloud ignores.
package enum IgnoredNames {
    /// Whether a file or folder of this name stays on its device.
    package static func contains(_ name: Name) -> Bool {
        let bytes = name.bytes
        guard let first = bytes.first, let last = bytes.last,
            firstBytes.contains(first) || lastBytes.contains(last)
        else { return false }
        if exact.contains(bytes) { return true }
        if suffixes.contains(where: { bytes.ends(with: $0) && bytes.count > $0.count }) {
            return true
        }
        if prefixes.contains(where: { bytes.starts(with: $0) }) { return true }
        return isEmacsAutosave(bytes) || isVimSwap(bytes)
    }

    private static let exact: [[UInt8]] =
        [".DS_Store", "desktop.ini", "Icon\r", "4913", ".nosync"].map { Array($0.utf8) }

    /// `~`: backup files of vim, emacs and nano.
    private static let suffixes: [[UInt8]] = [".nosync", ".tmp", "~"].map { Array($0.utf8) }

    /// `.dat.nosync`: Foundation's atomic writes; `.#`: emacs' locks; `~$`: office programs' locks.
    private static let prefixes: [[UInt8]] =
        [".dat.nosync", ".#", "~$", ".ubiquity-"].map { Array($0.utf8) }

    /// What they begin and end with: most names are told by that.
    private static let firstBytes = [0x23] + (exact + prefixes).map { $0[0] }
    private static let lastBytes = suffixes.map { $0[$0.count - 1] }

    /// A name between two `#`.
    private static func isEmacsAutosave(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes.first == 0x23 && bytes.last == 0x23
    }

    /// Such as `.name.swp` and `.name.swo`: a dot, the name, `.sw` and a letter.
    private static func isVimSwap(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 5, bytes.first == 0x2E else { return false }
        let end = Array(bytes.suffix(4))
        let isSwap = end[0] == 0x2E && end[1] == 0x73 && end[2] == 0x77
        return isSwap && (0x61...0x7A).contains(end[3])
    }
}

extension [UInt8] {
    func ends(with suffix: [UInt8]) -> Bool {
        count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
    }
}
