/// How contents that were changed apart become one, and up to which size that is tried.
///
/// It is handed in, so that the rules of heads do not depend on how texts are merged.
package struct MergeRule: Sendable {
    /// The longest content that is looked into, in bytes; longer ones are in conflict if they
    /// differ.
    package let sizeLimit: UInt64
    /// The longest package that is looked into, in bytes: it is held in memory three times over.
    package let packageLimit: UInt64
    /// The longest merged content that travels inline, in bytes; the shell cuts longer ones into
    /// chunks.
    package let inlineLimit: Int
    /// Whether a content can be merged at all.
    package let isText: @Sendable ([UInt8]) -> Bool
    /// The merge of the second and third content, which were both made from the first; nil if they
    /// are in conflict.
    package let merge: @Sendable ([UInt8], [UInt8], [UInt8]) -> [UInt8]?

    package init(
        sizeLimit: UInt64, packageLimit: UInt64 = 32 << 20, inlineLimit: Int,
        isText: @escaping @Sendable ([UInt8]) -> Bool,
        merge: @escaping @Sendable ([UInt8], [UInt8], [UInt8]) -> [UInt8]?
    ) {
        self.sizeLimit = sizeLimit
        self.packageLimit = packageLimit
        self.inlineLimit = inlineLimit
        self.isText = isText
        self.merge = merge
    }

    /// By lines.
    ///
    /// The limit is 4 MiB: a merge of the worst texts of that size takes a few seconds and
    /// 200 MB.
    package static func lines(inlineLimit: Int = StoredContent.inlineLimit) -> MergeRule {
        MergeRule(
            sizeLimit: 4 << 20, inlineLimit: inlineLimit, isText: TextRule.isText,
            merge: { base, first, second in
                guard
                    case .merged(let text) = TextMerge.merge(
                        base: base, first: first, second: second)
                else { return nil }
                return text
            })
    }
}
