import Dispatch
import SyncCore
import SyncStore
import SyncWire
import Synchronization
import Testing

@testable import SyncServer
@testable import SyncTransport

/// How requests share transactions.
@Suite struct CommitTests {
    let cloud: TestCloud

    init() throws {
        cloud = try TestCloud()
        try cloud.addAccount("anna", password: "secret")
    }

    @Test func commitsWhatWaitsTogether() throws {
        let door = Door(cloud: cloud, depth: .application)
        var devices = try (0..<20).map { try TestDevice(door, name: "device \($0)") }
        let application = cloud.server.application
        let before = application.metrics.commits.value
        let gate = try holdCommitter()
        let answers = DispatchGroup()
        let outcomes = Mutex<[RequestAnswer]>([])
        for index in devices.indices {
            let operation = devices[index].create("file \(index)", .inline([UInt8(index)]))
            answers.enter()
            try devices[index].submit([operation], to: application) { answer in
                outcomes.withLock { $0.append(answer) }
                answers.leave()
            }
        }
        gate.signal()
        answers.wait()
        // One for the write that held the committer, one for all the others.
        #expect(application.metrics.commits.value - before == 2)
        #expect(application.metrics.largestGroup.value >= 20)
        let numbers = outcomes.withLock { $0 }.map(\.acceptedNumber)
        #expect(Set(numbers) == Set((1...20).map { UInt64($0) }))
    }

    @Test func triesAloneWhatFailedTogether() throws {
        let door = Door(cloud: cloud, depth: .application)
        var device = try TestDevice(door)
        let application = cloud.server.application
        let gate = try holdCommitter()
        let failure = Mutex<APIError?>(nil)
        let answers = DispatchGroup()
        answers.enter()
        let bad = Write(
            weight: 1, perform: { _ throws(StoreError) in throw .diskFull },
            fail: { error in
                failure.withLock { $0 = error }
                answers.leave()
            })
        try #require(application.committer.submit(bad))
        answers.enter()
        let outcome = Mutex<RequestAnswer?>(nil)
        try device.submit([device.create("a", .inline([1]))], to: application) { answer in
            outcome.withLock { $0 = answer }
            answers.leave()
        }
        gate.signal()
        answers.wait()
        #expect(failure.withLock { $0 } == .diskFull)
        #expect(outcome.withLock { $0 } == .outcomes([.accepted(number: 1)]))
    }

    @Test func holdsNoMoreBytesThanAllowed() {
        let budget = BodyBudget(total: 10, ofDevice: 6)
        let (one, other) = (SHA256.hash([1]), SHA256.hash([2]))
        #expect(budget.take(6, of: one))
        #expect(!budget.take(1, of: one))
        #expect(!budget.take(5, of: other))
        #expect(budget.take(4, of: other))
        budget.giveBack(6, of: one)
        #expect(budget.take(1, of: one))
    }

    /// Keeps the committer in a transaction until the gate is signalled.
    private func holdCommitter() throws -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        let isHeld = DispatchSemaphore(value: 0)
        let write = Write(
            weight: 512,
            perform: { _ in
                isHeld.signal()
                gate.wait()
                return Performed(answer: {})
            }, fail: { _ in })
        try #require(cloud.server.application.committer.submit(write))
        isHeld.wait()
        return gate
    }
}

extension TestDevice {
    /// Hands operations to the application without waiting for the answer.
    func submit(
        _ operations: [Operation], to application: Application,
        _ done: @escaping @Sendable (RequestAnswer) -> Void
    ) throws {
        let message = OperationsMessage(
            incarnation: incarnation, operations: operations.map { CarriedOperation($0) })
        let head = HTTPRequestHead(
            method: "POST", target: Array("/v1/sync/operations".utf8),
            headers: ["Authorization": "Bearer \(joined.token)"], contentLength: nil,
            isChunked: true)
        let request = IncomingRequest(head: head, body: message.message(), address: "test")
        application.answer(request, .operations) { response in
            guard case .bytes(let bytes) = response.body,
                let answer = try? OperationsAnswer(message: bytes)
            else { return }
            done(answer.answer)
        }
    }
}

extension RequestAnswer {
    var acceptedNumber: UInt64? {
        guard case .outcomes(let outcomes) = self, case .accepted(let number)? = outcomes.first
        else { return nil }
        return number
    }
}
