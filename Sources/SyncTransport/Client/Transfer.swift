import CCurl

/// One request on its way, with curl's handle; used by the client's thread alone.
@safe final class Transfer {
    let handle: UnsafeMutableRawPointer
    let request: HTTPClientRequest
    let completion: (Result<HTTPClientResponse, HTTPClientError>) -> Void
    /// The machine's time, sleep included, at which the server last sent something.
    private(set) var lastByteTime = MonotonicClock.millisecondsWithSleep()
    private(set) var isTooLarge = false

    private var status = 0
    private var headers = HTTPHeaders()
    private var isHeadComplete = false
    private var isHeadDelivered = false
    private var received: [UInt8] = []
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// Takes over the handle and sets it up.
    init(
        handle: UnsafeMutableRawPointer, request: HTTPClientRequest,
        configuration: HTTPClient.Configuration,
        completion: @escaping (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) {
        unsafe self.handle = handle
        self.request = request
        self.completion = completion
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setUpCallbacks()
        setUpConnection(configuration)
        setUpMessage()
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headerList)
        unsafe errorText.deallocate()
    }

    /// The time at which the server has been silent for too long.
    var silenceDeadline: UInt64? {
        request.silenceMilliseconds.map { lastByteTime + $0 }
    }

    /// Whether something has arrived that a stream's receiver has not seen.
    var hasDelivery: Bool {
        request.stream != nil && isHeadComplete && isSuccess
            && (!isHeadDelivered || !received.isEmpty)
    }

    /// Hands over what has arrived for a stream.
    ///
    /// Runs outside of curl, so that the receiver may
    /// start and cancel transfers.
    func deliver() {
        guard hasDelivery, let stream = request.stream else { return }
        if !isHeadDelivered {
            isHeadDelivered = true
            stream.onHead(HTTPClientResponse(status: status, headers: headers, body: []))
        }
        if !received.isEmpty {
            let bytes = received
            received = []
            stream.onBytes(bytes)
        }
    }

    /// What is to be told when curl is done.
    func result(of code: CURLcode) -> Result<HTTPClientResponse, HTTPClientError> {
        if isTooLarge { return .failure(.responseTooLarge) }
        guard code == CURLE_OK else { return .failure(error(of: code)) }
        return .success(HTTPClientResponse(status: status, headers: headers, body: received))
    }

    private var isSuccess: Bool { (200...299).contains(status) }

    private func error(of code: CURLcode) -> HTTPClientError {
        let detail = unsafe String(cString: errorText)
        let general = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) }
        return HTTPClientError(code, detail.isEmpty ? general ?? "curl \(code.rawValue)" : detail)
    }
}

// MARK: Setting up.

extension Transfer {
    private func setUpCallbacks() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_data_callback(
            handle, CURLOPT_WRITEFUNCTION, { unsafe transferTakesBody($0, $1, $2, $3) })
        unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        unsafe ccurl_set_data_callback(
            handle, CURLOPT_HEADERFUNCTION, { unsafe transferTakesHeader($0, $1, $2, $3) })
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_pointer(handle, CURLOPT_PRIVATE, context)
        unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    }

    private func setUpConnection(_ configuration: HTTPClient.Configuration) {
        // Signals would be for the whole process, whose owner is someone else.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_TCP_KEEPIDLE, 30)
        set(CURLOPT_TCP_KEEPINTVL, 15)
        // Less than the server's patience, so that no request meets its goodbye.
        set(CURLOPT_MAXAGE_CONN, 50)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, request.timeoutMilliseconds ?? 0)
        if let stall = request.stallMilliseconds {
            set(CURLOPT_LOW_SPEED_LIMIT, 1)
            set(CURLOPT_LOW_SPEED_TIME, max(1, stall / 1_000))
        }
        if let rate = request.sendBytesPerSecond {
            unsafe ccurl_set_size(handle, CURLOPT_MAX_SEND_SPEED_LARGE, curl_off_t(clamping: rate))
        }
        if let rate = request.receiveBytesPerSecond {
            unsafe ccurl_set_size(handle, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(clamping: rate))
        }
        unsafe ccurl_keep_unsent_short(handle)
        set(CURLOPT_FRESH_CONNECT, request.needsNewConnection ? 1 : 0)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_USERAGENT, configuration.userAgent)
        if let file = configuration.certificateAuthorityFile {
            set(CURLOPT_CAINFO, file)
        }
        if Transfer.isLoopback(request.url) {
            // A proxy's loopback is not ours.
            set(CURLOPT_PROXY, "")
        }
    }

    private func setUpMessage() {
        set(CURLOPT_URL, request.url)
        var headers = request.headers
        if request.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        } else if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
            // The copy is curl's, which sends it again where a kept connection proves dead. A
            // small body goes out in one packet with the head.
            unsafe ccurl_set_size(
                handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
            _ = unsafe request.body.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(errorText)
                return unsafe ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
            }
            set(CURLOPT_CUSTOMREQUEST, request.method)
        } else if request.method != "GET" {
            set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        // A field without a value takes back what curl would say by itself.
        append("Expect:")
        if headers["Content-Type"] == nil {
            append("Content-Type:")
        }
        if headers["Accept"] == nil {
            headers.append("Accept", "*/*")
        }
        for field in headers.fields {
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
    }

    private func append(_ line: String) {
        unsafe headerList = curl_slist_append(headerList, line)
    }

    private func set(_ option: CURLoption, _ value: Int) {
        unsafe ccurl_set_long(handle, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) {
        unsafe ccurl_set_string(handle, option, value)
    }

    private static func isLoopback(_ url: String) -> Bool {
        guard let scheme = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let rest = url[scheme...].dropFirst(3)
        return ["127.", "localhost:", "localhost/", "[::1]"].contains { rest.hasPrefix($0) }
    }
}

// MARK: What curl reports. Each returns whether to go on.

extension Transfer {
    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        lastByteTime = MonotonicClock.millisecondsWithSleep()
        let text = unsafe String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // A further head follows one that only said to go on.
            headers = HTTPHeaders()
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if text.utf8.first == UInt8(ascii: "\r") || text.utf8.first == UInt8(ascii: "\n") {
            isHeadComplete = status >= 200
        } else if !isHeadComplete, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = text[colon...].dropFirst()
            headers.append(String(text[..<colon]), Transfer.trimmed(value))
        }
        return true
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastByteTime = MonotonicClock.millisecondsWithSleep()
        unsafe received.append(contentsOf: bytes)
        isTooLarge = received.count > request.responseBytesMax
        return !isTooLarge
    }

    private static func trimmed(_ value: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        var value = value.drop(while: isBlank)
        while let last = value.last, isBlank(last) {
            value.removeLast()
        }
        return String(value)
    }
}

private func transfer(of context: UnsafeMutableRawPointer?) -> Transfer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

/// Curl wants the number of bytes that were taken; any other ends the transfer.
private func transferTakesBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let isTaken = unsafe transfer(of: context)?.takeBody(bytes) ?? false
    return isTaken ? bytes.count : Int(CURL_WRITEFUNC_ERROR)
}

private func transferTakesHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let isTaken = unsafe transfer(of: context)?.takeHeader(bytes) ?? false
    return isTaken ? bytes.count : 0
}
