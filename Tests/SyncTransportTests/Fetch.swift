import SyncTransport

/// Runs one request on a client until it has completed.
func fetch(
    _ request: HTTPClientRequest, with client: HTTPClient
) throws(HTTPClientError) -> HTTPClientResponse {
    var result: Result<HTTPClientResponse, HTTPClientError>?
    client.start(request) { result = $0 }
    while true {
        if let result { return try result.get() }
        _ = client.poll(timeoutMilliseconds: 10_000)
    }
}

func fetch(_ request: HTTPClientRequest) throws(HTTPClientError) -> HTTPClientResponse {
    try fetch(request, with: HTTPClient())
}

/// Polls a client until something is so; false if it is not within ten seconds.
func poll(_ client: HTTPClient, until isSo: () -> Bool) -> Bool {
    let start = ContinuousClock.now
    while !isSo() {
        guard ContinuousClock.now - start < .seconds(10) else { return false }
        _ = client.poll(timeoutMilliseconds: 50)
    }
    return true
}
