import SyncCore
import SyncWire
import WebCore

/// The core that is compiled with this file, as something that answers questions.
package struct CoreUnderTest {
    private var device: BrowserDevice?

    package init() {}

    /// Nothing for what cannot be read.
    package mutating func answer(_ question: Vector.Question, _ input: [UInt8]) -> [UInt8] {
        do throws(WireError) {
            switch question {
            case .merge: return MergeAnswer(to: try MergeQuestion(message: input)).message()
            case .hash: return SHA256.hash(input).bytes
            case .start:
                let (device, output) = try BrowserDevice.start(from: input)
                self.device = device
                return output
            case .receive: return try device?.receive(input) ?? []
            case .rewrite: return try rewritten(input)
            }
        } catch {
            return []
        }
    }

    /// How many vectors of a file are answered as they should be; the first that is not as a
    /// negative number, counted from -1.
    package static func check(_ file: [UInt8]) -> Int {
        var core = CoreUnderTest()
        var vectors = VectorReader(file)
        var count = 0
        while let vector = vectors.next() {
            guard core.answer(vector.question, vector.input) == vector.output else {
                return -1 - count
            }
            count += 1
        }
        return vectors.isAtEnd ? count : -1 - count
    }

    private func rewritten(_ input: [UInt8]) throws(WireError) -> [UInt8] {
        let message = Array(input.dropFirst())
        return switch input.first {
        case 1: try OperationsMessage(message: message).message()
        case 2: try OperationsAnswer(message: message).message()
        case 3: try PullMessage(message: message).message()
        case 4: try PullAnswer(message: message).message()
        case 5: try PushMessage(message: message).message()
        case 6: try PositionMessage(message: message).message()
        case 7: try ChunkList(message: message).message()
        case 8: try VersionMessage(message: message).message()
        case 9: try VersionList(message: message).message()
        case 10: try DeviceRequest(message: message).message()
        case 11: try DeviceMessage(message: message).message()
        case 12: try NodeRecord(decoding: message).encoded()
        case 13: try OutboxEntry(decoding: message).encoded()
        case 14: try RegisterRecord(decoding: message).encoded()
        case 15: try ReplicaProgress(decoding: message).encoded()
        default: []
        }
    }
}
