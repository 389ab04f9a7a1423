/// How chunks travel.
enum ChunkTransfer {
    /// A request carries no more, unless a single chunk is longer.
    static var requestBytes: Int { 262_144 }
    /// So much may be under way to the server without its answer: what a kill costs.
    static var bytesUnderWay: Int { 524_288 }
    /// Chunks that one question names.
    static var questionChunks: Int { 8_192 }
}
