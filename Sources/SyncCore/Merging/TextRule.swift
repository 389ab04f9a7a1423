/// Says which content is text: no NUL byte, at most 16 MiB, at most 8 Mi lines.
///
/// Nothing else is asked for. Bytes are never decoded, so every encoding that writes line feed as
/// one byte 0x0A and has no NUL (UTF-8, Latin-1, Shift-JIS, with or without errors) is merged and
/// comes back as it was. UTF-16, UTF-32 and nearly every binary format hold a NUL, and are not
/// text here.
package enum TextRule {
    /// The largest content that is ever merged, in bytes.
    package static let sizeLimit = 16 << 20

    /// The most line feeds that are ever merged: this bounds the memory of a merge.
    package static let lineLimit = 8 << 20

    /// Returns whether content may be merged as text.
    package static func isText(_ content: [UInt8]) -> Bool {
        guard content.count <= sizeLimit, !content.contains(0) else { return false }
        return content.count <= lineLimit || content.count { $0 == 0x0A } <= lineLimit
    }
}
