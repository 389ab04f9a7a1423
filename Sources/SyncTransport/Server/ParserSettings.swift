import CLLHTTP

/// The functions that llhttp calls, shared by the parsers of one loop.
@safe final class ParserSettings {
    let pointer: UnsafeMutablePointer<llhttp_settings_t>

    /// The methods that are understood; tunnels and echoes are not offered.
    static let methods: Set<[UInt8]> = Set(
        """
        GET HEAD POST PUT DELETE OPTIONS PATCH COPY MOVE LOCK UNLOCK MKCOL PROPFIND PROPPATCH \
        SEARCH REPORT ACL BIND REBIND UNBIND MKCALENDAR
        """.split(separator: " ").map { Array($0.utf8) })

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: llhttp_settings_t())
        unsafe llhttp_settings_init(pointer)
        unsafe pointer.pointee.on_url = { unsafe parserTakesTarget($0, $1, $2) }
        unsafe pointer.pointee.on_header_field = { unsafe parserTakesName($0, $1, $2) }
        unsafe pointer.pointee.on_header_value = { unsafe parserTakesValue($0, $1, $2) }
        unsafe pointer.pointee.on_headers_complete = { unsafe parserTakesHeadEnd($0) }
        unsafe pointer.pointee.on_body = { unsafe parserTakesBody($0, $1, $2) }
        unsafe pointer.pointee.on_message_complete = { unsafe parserTakesEnd($0) }
    }

    deinit {
        unsafe pointer.deallocate()
    }
}

/// What llhttp is told: zero to go on, -1 to stop with an error.
private func answer(_ goesOn: Bool) -> Int32 {
    goesOn ? 0 : -1
}

private func parser(of llhttp: UnsafeMutablePointer<llhttp_t>?) -> RequestParser? {
    guard let data = unsafe llhttp?.pointee.data else { return nil }
    return unsafe Unmanaged<RequestParser>.fromOpaque(data).takeUnretainedValue()
}

private func parserTakesTarget(
    _ llhttp: UnsafeMutablePointer<llhttp_t>?, _ bytes: UnsafePointer<CChar>?, _ count: Int
) -> Int32 {
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return unsafe answer(parser(of: llhttp)?.takeTarget(bytes) ?? false)
}

private func parserTakesName(
    _ llhttp: UnsafeMutablePointer<llhttp_t>?, _ bytes: UnsafePointer<CChar>?, _ count: Int
) -> Int32 {
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return unsafe answer(parser(of: llhttp)?.takeName(bytes) ?? false)
}

private func parserTakesValue(
    _ llhttp: UnsafeMutablePointer<llhttp_t>?, _ bytes: UnsafePointer<CChar>?, _ count: Int
) -> Int32 {
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return unsafe answer(parser(of: llhttp)?.takeValue(bytes) ?? false)
}

private func parserTakesBody(
    _ llhttp: UnsafeMutablePointer<llhttp_t>?, _ bytes: UnsafePointer<CChar>?, _ count: Int
) -> Int32 {
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return unsafe answer(parser(of: llhttp)?.takeBody(bytes) ?? false)
}

private func parserTakesHeadEnd(_ llhttp: UnsafeMutablePointer<llhttp_t>?) -> Int32 {
    unsafe answer(parser(of: llhttp)?.takeHeadEnd() ?? false)
}

/// Stops llhttp at the end of each request.
private func parserTakesEnd(_ llhttp: UnsafeMutablePointer<llhttp_t>?) -> Int32 {
    guard let parser = unsafe parser(of: llhttp) else { return -1 }
    parser.takeEnd()
    return Int32(HPE_PAUSED.rawValue)
}
