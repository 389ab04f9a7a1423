import CLLHTTP

/// Reads requests from bytes that may be cut anywhere; strict, by llhttp.
///
/// One parser serves one connection and is used from one thread. It stops at each complete
/// request, so that pipelined ones are answered one after the other.
@safe final class RequestParser {
    /// What came of some bytes.
    enum Outcome {
        /// All bytes were taken; the request is not complete yet.
        case needsMore
        /// A request is complete; the bytes from `consumed` on belong to the next.
        case complete(HTTPRequestHead, body: [UInt8], keepsAlive: Bool)
        case rejected(HTTPRejection)
    }

    /// Limits of one request.
    struct Limits: Sendable {
        var headBytes = 16 * 1024
        var targetBytes = 8 * 1024
        var headers = 100
        /// What chunk sizes, extensions and trailers may take beyond the body itself.
        var chunkOverheadBytes = 16 * 1024
    }

    /// How far the request in hand has come.
    private enum Phase {
        case method
        case head
        case body
        case done
    }

    let limits: Limits
    private let bodyLimit: @Sendable (HTTPRequestHead) -> Int
    private let llhttp: UnsafeMutablePointer<llhttp_t>
    private var phase = Phase.method
    private var method: [UInt8] = []
    private var emptyLineBytes = 0
    private var scanner: HeadScanner
    private var target: [UInt8] = []
    private var name: [UInt8] = []
    private var value: [UInt8] = []
    private var isInValue = false
    private var headers = HTTPHeaders()
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var bodyBytesMax = 0
    private var overheadBytes = 0
    private var keepsAlive = false
    private var rejection: HTTPRejection?

    /// True from the head that asks to be told to go on, until a byte of its body has arrived.
    private(set) var awaitsContinue = false
    /// Whether the head's version is 1.0, whose connections close unless told otherwise.
    private(set) var isOldVersion = false

    /// Whether nothing of a next request has arrived.
    var isIdle: Bool { phase == .method && method.isEmpty }
    /// Whether the head is complete and its body is arriving.
    var isInBody: Bool { phase == .body }
    /// The body bytes held so far.
    var bodyBytesHeld: Int { body.count }

    init(
        settings: ParserSettings, limits: Limits,
        bodyLimit: @escaping @Sendable (HTTPRequestHead) -> Int
    ) {
        self.limits = limits
        scanner = HeadScanner(bytesMax: limits.headBytes)
        self.bodyLimit = bodyLimit
        unsafe llhttp = .allocate(capacity: 1)
        unsafe llhttp.initialize(to: llhttp_t())
        unsafe llhttp_init(llhttp, HTTP_REQUEST, settings.pointer)
        unsafe llhttp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe llhttp.deallocate()
    }

    /// Takes bytes up to the end of the request in hand, and says how many it took.
    func feed(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, outcome: Outcome) {
        var consumed = 0
        if phase == .method {
            consumed = unsafe takeMethod(bytes)
            if let rejection { return (consumed, .rejected(rejection)) }
            guard phase == .head else { return (consumed, .needsMore) }
            // The method is known to be good; llhttp sees it with the blank behind it.
            let isTaken = unsafe method.withUnsafeBytes { unsafe execute($0) == $0.count }
            guard isTaken else { return (consumed, .rejected(rejection ?? .malformed("method"))) }
        }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[consumed...])
        consumed += unsafe takeRest(rest)
        if let rejection { return (consumed, .rejected(rejection)) }
        guard phase == .done, let head else { return (consumed, .needsMore) }
        defer { reset() }
        return (consumed, .complete(head, body: body, keepsAlive: keepsAlive))
    }

    /// Gathers the method itself, so that the same bytes get the same answer however they are cut.
    private func takeMethod(_ bytes: UnsafeRawBufferPointer) -> Int {
        for unsafe(index, byte) in unsafe bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\r") where method.isEmpty, UInt8(ascii: "\n") where method.isEmpty:
                // Some clients end a body with a line end that its length does not count.
                emptyLineBytes += 1
                if emptyLineBytes > 4 { rejection = .malformed("Empty lines before the request.") }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                method.append(byte)
                if method.count > 32 { rejection = .malformed("The method is too long.") }
            case UInt8(ascii: " ") where !method.isEmpty:
                if !ParserSettings.methods.contains(method) { rejection = .unknownMethod }
                method.append(byte)
                phase = .head
                return index + 1
            default:
                rejection = .malformed("The request line does not start with a method.")
            }
            if rejection != nil { return index + 1 }
        }
        return bytes.count
    }

    /// Takes what follows the method, up to the end of the request.
    private func takeRest(_ bytes: UnsafeRawBufferPointer) -> Int {
        let (headCount, problem) = unsafe scanner.scan(bytes)
        let bodyBefore = body.count
        // What comes before the problem may have one of its own, which then is the answer.
        let readable = unsafe problem == nil ? bytes : .init(rebasing: bytes[..<headCount])
        let taken = unsafe execute(readable)
        rejection = rejection ?? problem
        if rejection == nil {
            countOverhead(max(0, taken - headCount) - (body.count - bodyBefore))
        }
        return taken
    }

    /// Runs llhttp over bytes; the number that it took, all of them unless it stopped.
    private func execute(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return 0 }
        let start = unsafe base.assumingMemoryBound(to: CChar.self)
        let code = unsafe llhttp_execute(llhttp, start, bytes.count)
        guard code == HPE_OK else {
            if code == HPE_PAUSED {
                let position = unsafe llhttp_get_error_pos(llhttp)
                return unsafe position.map { unsafe $0 - start } ?? bytes.count
            }
            rejection = rejection ?? self.rejection(for: code)
            return bytes.count
        }
        return bytes.count
    }

    private func countOverhead(_ count: Int) {
        overheadBytes += count
        // A chunk of one byte comes with five more: small chunks are dear, but not wrong.
        if overheadBytes > limits.chunkOverheadBytes + 16 * body.count {
            rejection = rejection ?? .malformed("The chunks' sizes and extensions are too long.")
        }
    }

    private func rejection(for code: llhttp_errno_t) -> HTTPRejection {
        if code == HPE_INVALID_VERSION { return .unsupportedVersion }
        let reason = unsafe llhttp_get_error_reason(llhttp).map { unsafe String(cString: $0) }
        return .malformed(reason ?? "The request cannot be read.")
    }

    private func reset() {
        phase = .method
        method.removeAll(keepingCapacity: true)
        emptyLineBytes = 0
        scanner = HeadScanner(bytesMax: limits.headBytes)
        target = []
        headers = HTTPHeaders()
        head = nil
        body = []
        overheadBytes = 0
        awaitsContinue = false
        unsafe llhttp_resume(llhttp)
    }

    /// Notes that the client was told to go on.
    func didSendContinue() {
        awaitsContinue = false
    }
}

// MARK: What llhttp reports. Each returns whether to go on.

extension RequestParser {
    func takeTarget(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe target.append(contentsOf: bytes)
        return target.count <= limits.targetBytes || reject(.targetTooLong)
    }

    func takeName(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isInValue { endField() }
        unsafe name.append(contentsOf: bytes)
        return rejection == nil
    }

    func takeValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isInValue = true
        unsafe value.append(contentsOf: bytes)
        return true
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= bodyBytesMax else { return reject(.bodyTooLarge) }
        awaitsContinue = false
        unsafe body.append(contentsOf: bytes)
        return true
    }

    func takeHeadEnd() -> Bool {
        endField()
        // Upgrades are not offered: the request is read as an ordinary one.
        unsafe llhttp.pointee.upgrade = 0
        let major = unsafe llhttp_get_http_major(llhttp)
        let minor = unsafe llhttp_get_http_minor(llhttp)
        guard major == 1 else { return reject(.unsupportedVersion) }
        isOldVersion = minor == 0
        return takeFraming()
    }

    func takeEnd() {
        keepsAlive = unsafe llhttp_should_keep_alive(llhttp) != 0
        name.removeAll(keepingCapacity: true)
        value.removeAll(keepingCapacity: true)
        isInValue = false
        phase = .done
    }

    /// Checks what decides where the body ends, and asks how long it may be.
    private func takeFraming() -> Bool {
        let hosts = headers.values("Host").count
        guard hosts == 1 || (isOldVersion && hosts == 0) else {
            return reject(.malformed("There must be one Host."))
        }
        let codings = headers.values("Transfer-Encoding")
        if !codings.isEmpty {
            guard !isOldVersion else { return reject(.malformed("Transfer-Encoding in HTTP/1.0.")) }
            guard codings.count == 1, HTTPHeaders.isSame(codings[0], "chunked") else {
                return reject(.unknownCoding)
            }
        }
        let length = headers["Content-Length"].map { Int($0) }
        if case .some(nil) = length { return reject(.malformed("Content-Length is no number.")) }
        let head = HTTPRequestHead(
            method: String(decoding: method.dropLast(), as: UTF8.self), target: target,
            headers: headers, contentLength: length ?? nil, isChunked: !codings.isEmpty)
        self.head = head
        phase = .body
        bodyBytesMax = bodyLimit(head)
        return admitBody(head)
    }

    private func admitBody(_ head: HTTPRequestHead) -> Bool {
        let length = head.contentLength ?? 0
        guard length <= bodyBytesMax else { return reject(.bodyTooLarge) }
        if let expectation = head.headers["Expect"], !isOldVersion {
            guard HTTPHeaders.isSame(expectation, "100-continue") else {
                return reject(.unknownExpectation)
            }
            awaitsContinue = length > 0 || head.isChunked
        }
        // Memory is taken as the bytes come: announcing a body costs the client nothing.
        body.reserveCapacity(min(length, 64 * 1024))
        return true
    }

    /// Fields that follow the body's chunks are counted and dropped: nothing here reads them.
    private func endField() {
        guard !name.isEmpty else { return }
        if phase == .head {
            headers.append(
                String(decoding: name, as: UTF8.self), String(decoding: trimmed, as: UTF8.self))
        }
        name.removeAll(keepingCapacity: true)
        value.removeAll(keepingCapacity: true)
        isInValue = false
        if headers.fields.count > limits.headers { rejection = rejection ?? .tooManyHeaders }
    }

    private var trimmed: ArraySlice<UInt8> {
        var text = value[...]
        while let last = text.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
            text.removeLast()
        }
        return text
    }

    private func reject(_ rejection: HTTPRejection) -> Bool {
        self.rejection = self.rejection ?? rejection
        return false
    }
}
