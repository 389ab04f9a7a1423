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

    /// Apple's initialiser for C's argument lists, which cannot be read on Linux.
    ///
    /// - Precondition: It is not called; use ``init(format:argumentArray:)``.
    public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
        preconditionFailure(
            "NSPredicate(format:arguments:) cannot read a C argument list on Linux;"
                + " use NSPredicate(format:argumentArray:)")
    }

    /// Makes a predicate from a text that may be none; Apple's class has no such way.
    ///
    /// - Throws: ``PredicateFormatError``, which says what is wrong, and where.
    public convenience init(
        validating format: String, arguments: [Any]? = nil
    ) throws(PredicateFormatError) {
        self.init(parsed: try ParsedPredicate(format, arguments ?? []))
    }

    private convenience init(trusted format: String, _ arguments: [Any]) {
        do {
            self.init(parsed: try ParsedPredicate(format, arguments))
        } catch {
            preconditionFailure("NSPredicate(format:): \(error)")
        }
    }

    convenience init(parsed: ParsedPredicate) { self.init(block: parsed.block) }

    /// What the predicate was parsed to, with its objects; nil for a block.
    var parsed: ParsedPredicate? {
        guard let compound = self as? NSCompoundPredicate else {
            let probe = PredicateProbe()
            _ = evaluate(with: probe)
            return probe.parsed
        }
        let parts = compound.subpredicates.compactMap { $0.parsed }
        guard parts.count == compound.subpredicates.count else { return nil }
        var objects = PredicateObjects()
        for part in parts { objects.add(part.objects) }
        let tree: PredicateTree
        switch compound.compoundPredicateType {
        case .and: tree = .all(parts.map(\.tree))
        case .or: tree = .any(parts.map(\.tree))
        case .not:
            guard let part = parts.first else { return nil }
            tree = .not(part.tree)
        @unknown default: return nil
        }
        return ParsedPredicate(tree, objects)
    }

    /// The tree of a predicate that was made from text; nil for any other.
    var tree: PredicateTree? { parsed?.tree }
}

extension ParsedPredicate {
    /// What Foundation's class is made with here: it has no other state.
    var block: @Sendable (Any?, [String: Any]?) -> Bool {
        { object, variables in
            // A cast that fails takes longer than the whole evaluation.
            if let object, type(of: object) == PredicateProbe.self {
                (object as? PredicateProbe)?.parsed = self
                return false
            }
            return holds(for: object, variables: variables)
        }
    }
}

extension PredicateTree {
    /// In the normal form of the parser.
    fileprivate static func all(_ trees: [PredicateTree]) -> PredicateTree {
        trees.count > 1 ? .and(trees) : trees.first ?? .constant(true)
    }

    fileprivate static func any(_ trees: [PredicateTree]) -> PredicateTree {
        trees.count > 1 ? .or(trees) : trees.first ?? .constant(false)
    }
}

/// Handed to a predicate's block, it is given what the block knows.
private final class PredicateProbe {
    var parsed: ParsedPredicate?
}

extension ParsedPredicate {
    fileprivate init(_ format: String, _ arguments: [Any]) throws(PredicateFormatError) {
        var objects = PredicateObjects()
        let values = arguments.map { objects.value(of: $0) }
        do throws(SyncCore.PredicateFormatError) {
            let tree = try PredicateParser.parse(format: Array(format.utf8), arguments: values)
            self.init(tree, objects)
        } catch {
            throw PredicateFormatError(error)
        }
    }
}

extension NSPredicate {
    /// Gives the predicate with values in the place of `$variables`; others stay.
    ///
    /// A block takes its variables when it is evaluated, and comes back as it is.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        guard let parsed else { return self }
        var objects = parsed.objects
        let values = variableValues(variables, &objects)
        let predicate = NSPredicate(
            parsed: ParsedPredicate(parsed.tree.substituting(values), objects))
        // A program's subclass cannot be made from a tree.
        return predicate as? Self ?? self
    }

    /// The predicate's canonical text, which gives an equal predicate; nil for a block.
    ///
    /// `predicateFormat` is Foundation's own and does not know the text. An object in it that is
    /// neither text, number, date nor data stands there by a number and cannot be read again.
    public var formatText: String? {
        tree.map { String(decoding: $0.formatText, as: UTF8.self) }
    }

    /// Whether the predicate is true of the object, or why that cannot be said.
    ///
    /// Where Apple's class raises, `evaluate(with:)` is false here and this throws a
    /// ``PredicateFailure``.
    public func evaluation(
        of object: Any?, substitutionVariables variables: [String: Any]? = nil
    ) throws -> Bool {
        guard let parsed else { return evaluate(with: object, substitutionVariables: variables) }
        do {
            return try parsed.outcome(for: object, variables: variables).get()
        } catch {
            throw PredicateFailure(description: "\(error)")
        }
    }
}

/// Why a text is no predicate.
public struct PredicateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the text, in UTF-8 bytes.
    public let offset: Int
    /// What would have been right there.
    public let expected: String
    /// Some lines with the text and a mark under the place.
    public let description: String

    init(_ error: SyncCore.PredicateFormatError) {
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
