/// A condition that a device's daemon decides for a program: comparisons of an item's attributes
/// with constants.
///
/// Nothing in it can take long, whatever the program wrote: regular expressions, functions and
/// subqueries stay with the program, and so do attributes that only the disk knows.
package struct ItemCondition: Sendable, Equatable {
    package let predicate: Predicate

    /// Nil if the predicate holds something that is the program's.
    package init?(_ predicate: Predicate) {
        guard predicate.isDecidedByDaemon else { return nil }
        self.predicate = predicate
    }

    private init(decided predicate: Predicate) { self.predicate = predicate }

    /// A condition that is true wherever the predicate is: what of it the daemon can decide.
    ///
    /// The program evaluates the whole predicate for what is left.
    package static func part(of predicate: Predicate) -> ItemCondition {
        ItemCondition(decided: predicate.decidedPart)
    }

    /// True of every item.
    package var isEmpty: Bool { predicate == .constant(true) }

    /// Where the predicate language has no answer, the program shall see for itself.
    package func mayHold(for item: QueriedItem) -> Bool {
        do throws(PredicateEvaluationError) {
            return try predicate.evaluation(of: item, services: PredicateServices())
        } catch {
            return true
        }
    }
}

extension Predicate {
    fileprivate var isDecidedByDaemon: Bool {
        switch self {
        case .constant: true
        case .not(let part): part.isDecidedByDaemon
        case .and(let parts), .or(let parts): parts.allSatisfy { $0.isDecidedByDaemon }
        case .comparison(let comparison): comparison.isDecidedByDaemon
        }
    }

    fileprivate var decidedPart: Predicate {
        switch self {
        case .constant: return self
        case .not, .comparison: return isDecidedByDaemon ? self : .constant(true)
        case .and(let parts):
            let decided = parts.map { $0.decidedPart }.filter { $0 != .constant(true) }
            return decided.count > 1 ? .and(decided) : decided.first ?? .constant(true)
        case .or(let parts):
            let decided = parts.map { $0.decidedPart }
            return decided.contains(.constant(true)) ? .constant(true) : .or(decided)
        }
    }
}

extension PredicateComparison {
    fileprivate var isDecidedByDaemon: Bool {
        switch operation {
        case .matches, .typeConforms, .typeEquals: return false
        default: break
        }
        guard modifier == .direct, !options.contains(.localeSensitive) else { return false }
        return left.isDecidedByDaemon && right.isDecidedByDaemon
    }
}

extension PredicateExpression {
    fileprivate var isDecidedByDaemon: Bool {
        switch self {
        case .constant(let value): value.isPlain
        case .keyPath(.evaluatedObject, let keys): keys.count == 1 && keys[0].isDecidedByDaemon
        default: false
        }
    }
}

extension PredicateValue {
    /// Objects of the program mean nothing to the daemon.
    fileprivate var isPlain: Bool {
        switch self {
        case .opaque, .dictionary: false
        case .array(let members): members.allSatisfy { $0.isPlain }
        default: true
        }
    }
}

extension [UInt8] {
    fileprivate var isDecidedByDaemon: Bool {
        switch String(decoding: self, as: UTF8.self) {
        case "kMDItemFSName", "kMDItemDisplayName", "kMDItemPath", "kMDItemFSSize",
            "kMDItemFSContentChangeDate", "kMDItemContentType", "NSMetadataItemIsUbiquitousKey",
            "NSMetadataUbiquitousItemHasUnresolvedConflictsKey",
            "NSMetadataUbiquitousItemIsUploadedKey", "NSMetadataUbiquitousItemIsUploadingKey",
            "NSMetadataUbiquitousItemIdentifierKey":
            true
        default: false
        }
    }
}
