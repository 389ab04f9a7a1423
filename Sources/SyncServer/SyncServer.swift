import SyncTransport

/// A running cloud: it reads and writes sockets and the database, and decides nothing.
package final class SyncServer: Sendable {
    /// Where it listens; the port is the one it got if any was asked for.
    package let address: ListenAddress
    package let metrics: Metrics
    let application: Application

    private let http: HTTPServer
    private let watch: RevocationWatch
    private let lock: FolderLock

    private init(
        address: ListenAddress, application: Application, http: HTTPServer, watch: RevocationWatch,
        lock: FolderLock
    ) {
        self.address = address
        self.application = application
        metrics = application.metrics
        self.http = http
        self.lock = lock
        self.watch = watch
    }

    /// Starts serving; it is ready when this returns.
    package static func start(
        _ configuration: ServerConfiguration
    ) throws(ServerStartFailure) -> SyncServer {
        let folder = try ServerStartFailure.folder { () throws(DataFolderFailure) in
            try DataFolder(creating: configuration.folder)
        }
        let lock = try ServerStartFailure.folder { () throws(DataFolderFailure) in
            try folder.lock()
        }
        try folder.finishRestore()
        let application = try Application(folder, configuration.limits)
        let watch = try startWatch(folder, application)
        do throws(HTTPServerError) {
            let http = try listen(configuration, application)
            var address = configuration.listen
            address.port = http.port
            return SyncServer(
                address: address, application: application, http: http, watch: watch, lock: lock)
        } catch {
            watch.close()
            application.close()
            throw ServerStartFailure(listening: error, on: configuration.listen)
        }
    }

    /// Ends: what was received is answered, streams are told to come back, the database is closed.
    package func stop(withinMilliseconds deadline: UInt64 = 10_000) {
        http.shutDown(withinMilliseconds: deadline)
        watch.close()
        application.close()
        lock.release()
    }

    private static func startWatch(
        _ folder: DataFolder, _ application: Application
    ) throws(ServerStartFailure) -> RevocationWatch {
        do throws(SystemError) {
            return try RevocationWatch(
                mark: folder.revocationMark, hub: application.hub, readers: application.readers)
        } catch {
            throw ServerStartFailure(error)
        }
    }

    private static func listen(
        _ configuration: ServerConfiguration, _ application: Application
    ) throws(HTTPServerError) -> HTTPServer {
        var http = HTTPServerConfiguration()
        http.address = configuration.listen.host
        http.port = configuration.listen.port
        http.tls = configuration.tls.map { .init(certificate: $0.certificate, key: $0.key) }
        return try HTTPServer(
            http, bodyLimit: { application.bodyLimit($0) },
            handler: { application.handle($0, $1) })
    }
}
