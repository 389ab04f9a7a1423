import Glibc

/// A file whose change tells a running server that another process has revoked tokens.
///
/// Only push streams need it: every request looks its token up. If the other process dies before
/// it has changed the file, the server still notices within a minute.
struct RevocationMark: Sendable {
    let path: String

    /// When the file was last changed; zero if it never was.
    var moment: Int64 {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Changes the file; to be called once the revocation is committed.
    func change() {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        futimens(descriptor, nil)
        close(descriptor)
    }
}
