import SyncCore

/// No clock decides which key-value wins: a stamp is the time of the setting by the server's clock,
/// and what a device set before its first pull replaces nothing.
struct RegisterChecker {
    /// What the devices said of a write when they sent it.
    struct Sent {
        let device: Int
        let beforeFirstPull: Bool
    }

    /// What a device can be off by that measures ages rightly.
    private static let slack: Int64 = 1_000

    let ledger: Ledger
    let account: AccountTables
    let sent: [WriteID: Sent]
    /// By device: its clock went wrong while it ran, so that its ages are wrong.
    let jumped: [Bool]
    /// By how many milliseconds the server's clock is wrong; nil if it has jumped.
    let serverError: Int64?

    func violations() -> [Violation] {
        var violations: [Violation] = []
        var current: [RegisterKey: RegisterState] = [:]
        let times = Dictionary(
            ledger.settings.map { ($0.value, $0) }, uniquingKeysWith: { first, _ in first })
        for entry in account.log {
            for case .register(let state) in entry.effects
            where current[state.register]?.write != state.write {
                let before = current[state.register]
                current[state.register] = state
                if let text = judge(state, over: before, entry, times) {
                    violations.append(
                        Violation(
                            promise: "no clock decides between key-values",
                            text: "entry \(entry.position.number): \(text)"))
                }
            }
        }
        return violations
    }

    private func judge(
        _ state: RegisterState, over before: RegisterState?, _ entry: LogEntry,
        _ times: [[UInt8]: Ledger.Setting]
    ) -> String? {
        if sent[state.write]?.beforeFirstPull == true, before?.value != nil {
            return "a value from before the first pull replaces one of the account"
        }
        guard let serverError else { return nil }
        let latest = max(entry.moment.milliseconds, before?.stamp.milliseconds ?? Int64.min)
        if state.stamp.milliseconds > latest { return "its stamp is in the future" }
        // Whoever offers what a restored server has lost tells its age by a clock of its own.
        guard let value = state.value, let setting = times[value], !jumped[setting.device],
            !jumped[Int(entry.author.low) - 1]
        else { return nil }
        let truth = (SimulatedDevice.epoch + setting.time) / 1_000_000 + serverError
        guard state.stamp.milliseconds < truth - Self.slack else { return nil }
        return "its stamp is \(truth - state.stamp.milliseconds) ms before it was set"
    }
}
