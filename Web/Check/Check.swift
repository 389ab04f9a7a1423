import WebVectors

/// Answers the vectors that the module was built with; see `CoreUnderTest.check`.
@_cdecl("check_vectors")
public func checkVectors(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
    Int32(CoreUnderTest.check(Array(UnsafeBufferPointer(start: bytes, count: Int(count)))))
}
