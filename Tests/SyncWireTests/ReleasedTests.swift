import Foundation
import SyncCore
import SyncWire
import Testing

/// The files in `Released` were written by released versions: they are read for ever, and what this
/// version writes is still the same, because operations are known again by their hash.
///
/// A later version adds a folder of its own and leaves these files alone.
@Suite struct ReleasedTests {
    static let samples =
        ReleasedSample.sync + ReleasedSample.rows + ReleasedSample.requests
        + ReleasedSample.messages + ReleasedSample.added

    @Test(arguments: samples)
    func bytesOfTheFirstReleaseAreRead(sample: ReleasedSample) throws {
        let bytes = try #require(try released("1.0")[sample.testDescription])
        let isRead = try sample.isRead(bytes)
        #expect(isRead)
        #expect(hexadecimal(sample.bytes) == hexadecimal(bytes))
    }

    @Test func everyReleasedLineHasItsSample() throws {
        let names = Set(ReleasedTests.samples.map(\.testDescription))
        #expect(try Set(released("1.0").keys) == names)
    }

    /// Lines of a name and hexadecimal digits, in one file or several.
    private func released(_ version: String) throws -> [String: [UInt8]] {
        let files = try #require(
            Bundle.module.urls(
                forResourcesWithExtension: "hex", subdirectory: "Released/\(version)"))
        var samples: [String: [UInt8]] = [:]
        for file in files.map({ $0 as URL }) {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                try #require(words.count == 2)
                let bytes = try #require(decodeHexadecimal(String(words[1])))
                samples[String(words[0])] = bytes
            }
        }
        return samples
    }
}
