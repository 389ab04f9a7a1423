/// Memory that a loop's connections read into, one at a time.
@safe final class ReadBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    init(capacity: Int) {
        unsafe bytes = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        unsafe bytes.deallocate()
    }
}
