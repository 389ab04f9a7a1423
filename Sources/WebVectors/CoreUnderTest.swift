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

    /// What the module that is shipped leaves out is tried all the same.
    private func rewritten(_ input: [UInt8]) throws(WireError) -> [UInt8] {
        switch input.first {
        case 10: try DeviceRequest(message: Array(input.dropFirst())).message()
        case 11: try DeviceMessage(message: Array(input.dropFirst())).message()
        default: try Rewriting.rewritten(input)
        }
    }
}
