import FuzzSupport
import SyncWire

/// What a device sends to the server.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](fuzzed: start, count)
    checkMessage(OperationsMessage.self, bytes)
    checkMessage(PullMessage.self, bytes)
    checkMessage(ChunkList.self, bytes)
    checkMessage(ChunkBundle.self, bytes)
    checkMessage(TrashRequest.self, bytes)
    return 0
}
