import SyncCore
import SyncStore
package import SyncWire

/// What the devices of a schedule were told, and what they wanted done for it.
///
/// Another build of the core must give the same answers to the same questions.
package struct Recording: Sendable {
    /// One life of a device's program.
    package struct Life: Sendable {
        package let origin: ReplicaOrigin
        package let first: ReplicaOutput
        package fileprivate(set) var steps: [Step] = []
    }

    package struct Step: Sendable {
        package let input: ReplicaInput
        package let output: ReplicaOutput
    }

    package private(set) var lives: [Life] = []
    /// By device: its present life.
    private var present: [Int: Int] = [:]

    /// Runs a schedule as every device does it, with SHA-256, and writes down what is said.
    package init(of plan: Plan) {
        var simulation = Simulation(
            plan: plan, mutant: nil, isTold: false,
            vault: .plain(identityKey: Recording.identityKey))
        simulation.recording = Recording()
        _ = simulation.run()
        self = simulation.recording ?? Recording()
    }

    private init() {}

    static let identityKey = Array("the key of the recorded account!".utf8)

    mutating func begin(_ origin: ReplicaOrigin, _ actions: [ReplicaAction], on device: Int) {
        present[device] = lives.count
        lives.append(Life(origin: origin, first: ReplicaOutput(actions)))
    }

    mutating func add(_ input: ReplicaInput, _ actions: [ReplicaAction], on device: Int) {
        guard let life = present[device] else { return }
        lives[life].steps.append(Step(input: input, output: ReplicaOutput(actions)))
    }
}

extension Simulation {
    mutating func record(
        _ image: ReplicaImage, _ entropy: UInt64, _ moment: Moment, _ actions: [ReplicaAction],
        on index: Int
    ) {
        guard recording != nil else { return }
        let origin = ReplicaOrigin(
            device: devices[index].id, identityKey: Recording.identityKey, entropy: entropy,
            moment: moment, rows: image.changes)
        recording?.begin(origin, actions, on: index)
    }
}
