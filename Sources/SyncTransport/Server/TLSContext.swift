import COpenSSL
import Glibc

/// A server's certificate and how its TLS connections behave.
@safe final class TLSContext: @unchecked Sendable {
    // Unchecked: OpenSSL's context is set up in `init` and only read afterwards.
    private let context: OpaquePointer

    init(_ files: HTTPServerConfiguration.TLSFiles) throws(HTTPServerError) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
            throw .tls("OpenSSL cannot be set up")
        }
        unsafe self.context = context
        unsafe copenssl_set_server_options(context)
        guard unsafe SSL_CTX_use_certificate_chain_file(context, files.certificate) == 1 else {
            throw .tls("\(files.certificate) is no certificate in PEM form")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(context, files.key, SSL_FILETYPE_PEM) == 1 else {
            throw .tls("\(files.key) is no private key in PEM form")
        }
        guard unsafe SSL_CTX_check_private_key(context) == 1 else {
            throw .tls("\(files.key) is not the key of \(files.certificate)")
        }
    }

    deinit {
        unsafe SSL_CTX_free(context)
    }

    /// Prepares a connection that was accepted; the handshake happens as it is read.
    func accept(_ descriptor: Int32) throws(SystemError) -> TLSSession {
        guard let session = unsafe SSL_new(context) else { throw SystemError("SSL_new", ENOMEM) }
        unsafe SSL_set_fd(session, descriptor)
        unsafe SSL_set_accept_state(session)
        return unsafe TLSSession(session)
    }
}
