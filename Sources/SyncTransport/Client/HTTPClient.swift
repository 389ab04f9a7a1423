import CCurl

/// An HTTP client for one thread, which drives it by `poll`.
///
/// Connections are kept and used again. Nothing happens, and nothing is called, outside of `poll`.
@safe package final class HTTPClient {
    /// What holds for all requests; times are in milliseconds.
    package struct Configuration: Sendable {
        package var connectMilliseconds = 10_000
        package var userAgent = "ubiquity"
        /// PEM file of the authorities to trust instead of the system's.
        package var certificateAuthorityFile: String?
        /// More requests to one server wait for a connection.
        package var connectionsPerServerMax = 16

        package init() {}
    }

    /// A transfer that was started.
    package struct TransferID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    package typealias Completion = (Result<HTTPClientResponse, HTTPClientError>) -> Void

    /// Ends a wait; may be given to other threads.
    package let waker: HTTPClientWaker

    private let configuration: Configuration
    private let multi: UnsafeMutableRawPointer
    private var transfers: [TransferID: Transfer] = [:]
    private var idByHandle: [UInt: TransferID] = [:]
    private var lastNumber: UInt64 = 0
    /// Requests that could not be started; they are told at the next `poll`, like all others.
    private var failed: [(completion: Completion, error: HTTPClientError)] = []

    /// How often a silent stream is looked at, as sleep is not seen by a wait.
    private static let silenceCheckMilliseconds = 5000

    package init(_ configuration: Configuration = Configuration()) throws(HTTPClientError) {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
            let multi = unsafe curl_multi_init()
        else { throw .other("libcurl cannot be set up") }
        unsafe ccurl_multi_set_long(
            multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerServerMax)
        self.configuration = configuration
        unsafe self.multi = multi
        waker = unsafe HTTPClientWaker(multi)
    }

    deinit {
        waker.retire()
        for transfer in transfers.values {
            unsafe curl_multi_remove_handle(multi, transfer.handle)
        }
        unsafe curl_multi_cleanup(multi)
        curl_global_cleanup()
    }

    /// How many transfers are under way.
    package var transferCount: Int { transfers.count }

    /// Starts a request; the completion is called once, by a later `poll`, unless it is cancelled.
    @discardableResult
    package func start(
        _ request: HTTPClientRequest, completion: @escaping Completion
    ) -> TransferID {
        lastNumber += 1
        let id = TransferID(number: lastNumber)
        if let problem = HTTPClient.problem(of: request) {
            failed.append((completion, .invalidRequest(problem)))
            return id
        }
        guard let handle = unsafe curl_easy_init() else {
            failed.append((completion, .other("libcurl is out of memory")))
            return id
        }
        let transfer = unsafe Transfer(
            handle: handle, request: request, configuration: configuration, completion: completion)
        unsafe curl_multi_add_handle(multi, handle)
        transfers[id] = transfer
        idByHandle[UInt(bitPattern: handle)] = id
        return id
    }

    /// Ends a transfer; its completion is not called.
    package func cancel(_ id: TransferID) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        unsafe idByHandle[UInt(bitPattern: transfer.handle)] = nil
        unsafe curl_multi_remove_handle(multi, transfer.handle)
    }

    /// Waits for transfers and for the owner's descriptors, and runs what completes.
    ///
    /// It returns once something was called, a descriptor is ready, the waker was used, or the time
    /// is up; sometimes earlier, without any of these.
    ///
    /// - Parameters:
    ///   - descriptors: What else to wait for.
    ///   - timeoutMilliseconds: How long to wait at most; 0 only looks.
    /// - Returns: The descriptors that are ready, with what has come.
    package func poll(
        _ descriptors: [PollDescriptor] = [], timeoutMilliseconds: Int
    ) -> [PollDescriptor] {
        let hasCalled = advance()
        let ready = wait(descriptors, hasCalled ? 0 : waitMilliseconds(timeoutMilliseconds))
        _ = advance()
        return ready
    }

    private func wait(_ descriptors: [PollDescriptor], _ milliseconds: Int) -> [PollDescriptor] {
        var waits = descriptors.map {
            curl_waitfd(
                fd: $0.descriptor, events: Int16(bitPattern: $0.events.rawValue), revents: 0)
        }
        var count: Int32 = 0
        unsafe curl_multi_poll(
            multi, &waits, UInt32(waits.count), Int32(clamping: max(0, milliseconds)), &count)
        return waits.filter { $0.revents != 0 }.map {
            PollDescriptor(
                $0.fd, PollDescriptor.Events(rawValue: UInt16(bitPattern: $0.revents)))
        }
    }

    /// Moves all transfers on and calls what is to be called; whether anything was.
    private func advance() -> Bool {
        var running: Int32 = 0
        unsafe curl_multi_perform(multi, &running)
        var hasCalled = tellFailed()
        hasCalled = deliver() || hasCalled
        hasCalled = complete() || hasCalled
        return endSilent() || hasCalled
    }

    private func tellFailed() -> Bool {
        let told = failed
        failed = []
        for (completion, error) in told {
            completion(.failure(error))
        }
        return !told.isEmpty
    }

    private func deliver() -> Bool {
        var hasCalled = false
        // A receiver may cancel others: each is looked up again.
        for id in transfers.keys where transfers[id]?.hasDelivery ?? false {
            hasCalled = true
            transfers[id]?.deliver()
        }
        return hasCalled
    }

    private func complete() -> Bool {
        var hasCalled = false
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let handle = unsafe message.pointee.easy_handle
            let code = unsafe ccurl_message_result(message)
            guard let id = idByHandle[UInt(bitPattern: handle)], let transfer = transfers[id]
            else { continue }
            cancel(id)
            hasCalled = true
            transfer.completion(transfer.result(of: code))
        }
        return hasCalled
    }

    private func endSilent() -> Bool {
        let now = MonotonicClock.millisecondsWithSleep()
        let silent = transfers.filter { ($0.value.silenceDeadline ?? .max) <= now }
        for (id, transfer) in silent where transfers[id] != nil {
            cancel(id)
            transfer.completion(.failure(.timedOut))
        }
        return !silent.isEmpty
    }

    private func waitMilliseconds(_ wanted: Int) -> Int {
        guard let deadline = transfers.values.compactMap(\.silenceDeadline).min() else {
            return wanted
        }
        let now = MonotonicClock.millisecondsWithSleep()
        let left = deadline > now ? Int(clamping: deadline - now) : 0
        return min(wanted, left, HTTPClient.silenceCheckMilliseconds)
    }

    /// What curl would send as it stands, although it would say something else.
    private static func problem(of request: HTTPClientRequest) -> String? {
        let isControl: (UInt8) -> Bool = { $0 < 32 && $0 != 9 || $0 == 127 }
        if request.url.utf8.contains(where: { isControl($0) || $0 == 32 }) {
            return "the URL has characters that must be encoded"
        }
        for field in request.headers.fields
        where field.name.isEmpty || field.name.utf8.contains(where: { isControl($0) || $0 == 32 })
            || field.value.utf8.contains(where: isControl)
        {
            return "the header \(field.name) has characters that are not allowed"
        }
        return nil
    }
}
