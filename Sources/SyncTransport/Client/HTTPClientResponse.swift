/// An answer.
package struct HTTPClientResponse: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders
    /// Empty where the body went to a stream.
    package var body: [UInt8]

    package var isSuccess: Bool { (200...299).contains(status) }
}
