import SyncCore
import SyncSimulation
import SyncWire
import Testing
import WebCore
import WebVectors

/// A device that is spoken to in bytes does what the simulator's devices did.
@Suite struct VectorTests {
    @Test(arguments: 0..<20)
    func recordedDevicesActAlike(schedule: Int) throws {
        let recording = Recording(of: Plan(seed: Runner.seed(1, schedule)))
        try #require(!recording.lives.isEmpty)
        for life in recording.lives {
            var (device, first) = try BrowserDevice.start(from: life.origin.message())
            #expect(first == life.first.message())
            for (number, step) in life.steps.enumerated() {
                let output = try device.receive(step.input.message())
                guard output != step.output.message() else { continue }
                Issue.record("schedule \(schedule), step \(number): \(step.input.event)")
                return
            }
        }
    }

    @Test func aRecordingIsReadBackFromItsBytes() throws {
        let recording = Recording(of: Plan(seed: Runner.seed(1, 3)))
        for life in recording.lives {
            #expect(try ReplicaOrigin(message: life.origin.message()) == life.origin)
            for step in life.steps {
                #expect(try ReplicaInput(message: step.input.message()) == step.input)
                #expect(try ReplicaOutput(message: step.output.message()) == step.output)
            }
        }
    }

    @Test func aFileOfVectorsIsChecked() {
        let question = MergeQuestion(base: [], first: [1], second: []).message()
        let answer = MergeAnswer(.merged([1]), suggestion: nil).message()
        var file: [UInt8] = []
        Vector(.merge, question, answer).append(to: &file)
        Vector(.hash, [], SHA256.hash([]).bytes).append(to: &file)
        #expect(CoreUnderTest.check(file) == 2)
        Vector(.hash, [], SHA256.hash([1]).bytes).append(to: &file)
        #expect(CoreUnderTest.check(file) == -3)
        #expect(CoreUnderTest.check(Array(file.dropLast())) == -3)
        #expect(CoreUnderTest.check([]) == 0)
    }

    @Test func bytesThatAreNoMessageStartNothing() {
        #expect(throws: WireError.self) { try BrowserDevice.start(from: [1, 2, 3]) }
        #expect(throws: WireError.self) { try BrowserDevice.start(from: []) }
    }
}
