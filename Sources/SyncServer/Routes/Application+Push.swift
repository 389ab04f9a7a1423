import SyncCore
import SyncStore
import SyncTransport

/// Push streams.
extension Application {
    /// Opens a stream that says at once where the log is, and then whatever is added to it.
    func openPush(_ request: IncomingRequest, _ responder: HTTPResponder) {
        let refuse: @Sendable (APIError) -> Void = { [metrics] error in
            let response = HTTPResponse.failure(error)
            metrics.recordAnswer(response, received: 0)
            responder.respond(response)
        }
        guard let token = request.token else { return refuse(.noToken) }
        let isTaken = readers.run { [self] connection in
            do throws(APIError) {
                let session = try connection.session(token)
                let subscriber = PushHub.Subscriber(
                    account: session.account, device: session.device, token: token,
                    stream: responder.openEventStream(headers: ["Cache-Control": "no-store"]))
                greet(subscriber, connection)
            } catch {
                refuse(error)
            }
        }
        if !isTaken { refuse(.busy) }
    }

    /// Enters the stream before it reads the head: what is committed between is then pushed.
    private func greet(_ subscriber: PushHub.Subscriber, _ connection: ReadConnection) {
        hub.enter(subscriber)
        do throws(APIError) {
            let head = try stored { () throws(StoreError) in
                try connection.database.account(subscriber.account).position()
            }
            hub.greet(subscriber, head: head)
        } catch {
            // The device comes back, as after any stream that ends.
            subscriber.stream.close()
        }
    }
}
