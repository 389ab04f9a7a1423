import DeviceSocket
import Glibc
import SyncCore

extension PackageTypes {
    /// Those that every device knows, and those of the home's own file.
    ///
    /// `.ubiquity/packages` has an ending in each line, with the word `merge` behind it if packages
    /// of it merge member by member; what is behind a `#` is not read.
    static func configured(in home: DeviceHome) -> PackageTypes {
        let path = home.state + Array("/packages".utf8)
        guard let text = FileStretch.read(path, from: 0)?.bytes else { return .standard }
        return .standard.adding(PackageTypes(text))
    }

    /// Reads such a file; a line that is none is passed over.
    init(_ text: [UInt8]) {
        var endings: [Ending] = []
        var merging: [Ending] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let said = line.prefix { $0 != UInt8(ascii: "#") }
            let words = said.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let first = words.first else { continue }
            let dot = first.first == UInt8(ascii: ".")
            guard let ending = Ending(Array(dot ? first.dropFirst() : first)) else { continue }
            if words.count == 1 { endings.append(ending) }
            if words.count == 2, words[1].elementsEqual("merge".utf8) { merging.append(ending) }
        }
        self.init(endings, merging: merging)
    }
}
