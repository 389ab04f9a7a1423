public import Foundation
import SyncCore

// Apple's documentation of NSPredicate, and of the predicate format string syntax. Foundation on
// Linux has the class without its texts.

/// The core's predicate; Foundation has a type of this name too.
typealias PredicateTree = SyncCore.Predicate

extension NSPredicate {
    /// Makes a predicate from its text: `NSPredicate(format: "%K LIKE %@", key, "*.md")`.
    ///
    /// - Precondition: The text is a predicate and has its arguments. For a text that somebody
    ///   typed use ``Foundation/NSPredicate/init(validating:arguments:)``.
    public convenience init(format predicateFormat: String, _ args: Any...) {
        self.init(trusted: predicateFormat, args)
    }

    /// Makes a predicate from its text and a list of its arguments.
    ///
    /// - Precondition: The text is a predicate and has its arguments.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(trusted: predicateFormat, arguments ?? [])
    }

    /// Makes a predicate from a text that may be none; Apple's class has no such way.
    ///
    /// - Throws: ``PredicateSyntaxError``, which says what is wrong, and where.
    public convenience init(
        validating format: String, arguments: [Any]? = nil
    ) throws(PredicateSyntaxError) {
        self.init(tree: try parsed(format, arguments ?? []))
    }

    private convenience init(trusted format: String, _ arguments: [Any]) {
        do {
            self.init(tree: try parsed(format, arguments))
        } catch {
            preconditionFailure("NSPredicate(format:): \(error)")
        }
    }

    convenience init(tree: PredicateTree) {
        self.init { object, variables in
            if let probe = object as? PredicateProbe {
                probe.tree = tree
                return false
            }
            let result = outcome(of: tree, for: object, variables: variables)
            return (try? result.get()) ?? false
        }
    }

    /// The tree of a predicate that was made from text; nil for any other.
    var tree: PredicateTree? {
        guard !(self is NSCompoundPredicate) else { return compoundTree }
        let probe = PredicateProbe()
        _ = evaluate(with: probe)
        return probe.tree
    }

    private var compoundTree: PredicateTree? {
        guard let compound = self as? NSCompoundPredicate else { return nil }
        let parts = compound.subpredicates.map { $0.tree }
        let trees = parts.compactMap { $0 }
        guard trees.count == parts.count else { return nil }
        switch compound.compoundPredicateType {
        case .and: return trees.isEmpty ? .constant(true) : .and(trees)
        case .or: return trees.isEmpty ? .constant(false) : .or(trees)
        case .not: return trees.first.map { .not($0) }
        @unknown default: return nil
        }
    }
}

/// Handed to a predicate's block, it is given the block's tree.
private final class PredicateProbe {
    var tree: PredicateTree?
}

private func parsed(
    _ format: String, _ arguments: [Any]
) throws(PredicateSyntaxError) -> PredicateTree {
    var objects = PredicateObjects()
    do throws(PredicateFormatError) {
        return try PredicateParser.parse(
            format: Array(format.utf8), arguments: arguments.map { objects.value(of: $0) })
    } catch {
        throw PredicateSyntaxError(error)
    }
}

extension NSPredicate {
    /// Gives the predicate with values in the place of `$variables`; others stay.
    ///
    /// A block takes its variables when it is evaluated, and comes back as it is.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        guard let tree else { return self }
        var objects = PredicateObjects()
        let values = variables.map { (Array($0.key.utf8), objects.value(of: $0.value)) }
        let predicate = NSPredicate(tree: tree.substituting(Dictionary(values) { $1 }))
        // A program's subclass cannot be made from a tree.
        return predicate as? Self ?? self
    }

    /// The predicate's canonical text, which gives an equal predicate; nil for a block.
    ///
    /// `predicateFormat` is Foundation's own and does not know the text.
    public var formatText: String? {
        tree.map { String(decoding: $0.formatText, as: UTF8.self) }
    }

    /// Whether the predicate is true of the object, or why that cannot be said.
    ///
    /// Where Apple's class raises, `evaluate(with:)` is false here and this throws.
    public func evaluation(
        of object: Any?, substitutionVariables variables: [String: Any]? = nil
    ) throws -> Bool {
        guard let tree else { return evaluate(with: object, substitutionVariables: variables) }
        do {
            return try outcome(of: tree, for: object, variables: variables).get()
        } catch {
            throw PredicateFailure(description: "\(error)")
        }
    }
}

/// Why a text is no predicate.
public struct PredicateSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the text, in UTF-8 bytes.
    public let offset: Int
    /// What would have been right there.
    public let expected: String
    /// Two lines with the text and a mark under the place.
    public let description: String

    init(_ error: PredicateFormatError) {
        offset = error.offset
        expected = error.expected
        description = error.description
    }
}

/// Why a predicate has no answer for an object.
public struct PredicateFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for people.
    public let description: String
}
