/// How chunks travel.
package enum ChunkTransfer {
    /// A request carries no more, unless a single chunk is longer.
    package static var requestBytes: Int { 262_144 }
    /// So much may be under way to the server without its answer: what a kill costs.
    package static var bytesUnderWay: Int { 524_288 }
    /// So much of a content may be asked for and not be in its file yet: what a kill costs, and
    /// what memory holds of it.
    package static var bytesAsked: Int { 1_048_576 }
    /// Chunks that one question names.
    package static var questionChunks: Int { 8_192 }
    /// Questions of one content that wait for their answers.
    package static var questionsUnderWay: Int { 2 }
}
