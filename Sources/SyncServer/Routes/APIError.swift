/// Why a request is not done, as the client is told: a status, a code to act on, a sentence.
struct APIError: Error, Equatable, Sendable {
    let status: Int
    let code: String
    let message: String

    static func malformed(_ reason: String) -> APIError {
        APIError(status: 400, code: "malformed", message: "The request cannot be read: \(reason).")
    }

    static let badName = APIError(
        status: 400, code: "name",
        message: "A name has 1 to 128 bytes of UTF-8, no control characters, no space at its ends.")
    static let wrongHash = APIError(
        status: 400, code: "hash", message: "The bytes do not have this SHA-256.")
    static let credentials = APIError(
        status: 401, code: "credentials", message: "The account or the password is wrong.")
    static let noToken = APIError(
        status: 401, code: "token", message: "The request needs a device's token; join first.")
    static let unknownToken = APIError(
        status: 401, code: "token", message: "This token is not known here; join again.")
    static let revoked = APIError(
        status: 401, code: "revoked", message: "This device was revoked; join again.")
    static let notFound = APIError(
        status: 404, code: "not-found", message: "There is nothing here by this name.")
    static let expired = APIError(
        status: 410, code: "expired",
        message: "The content of this old version is not kept any more.")
    static func methodNotAllowed(_ allowed: String) -> APIError {
        APIError(
            status: 405, code: "method", message: "This address takes \(allowed).")
    }
    static let tooLarge = APIError(
        status: 413, code: "too-large", message: "The request is larger than allowed here.")
    static let tooManyAttempts = APIError(
        status: 429, code: "attempts", message: "Too many wrong passwords; try again in a minute.")
    static let failed = APIError(
        status: 500, code: "failed", message: "The server could not do this; its log says why.")
    static let busy = APIError(
        status: 503, code: "busy", message: "The server has too much to do; try again.")
    static let diskFailed = APIError(
        status: 503, code: "disk", message: "The server's disk failed; nothing was stored.")
    static let diskFull = APIError(
        status: 507, code: "disk-full", message: "The server's disk is full; nothing was stored.")
}
