import FuzzSupport
import SyncWire

/// What the server answers, but for the log.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](fuzzed: start, count)
    checkMessage(OperationsAnswer.self, bytes)
    checkMessage(ChunkList.self, bytes)
    checkMessage(ChunkBundle.self, bytes)
    checkMessage(VersionMessage.self, bytes)
    checkMessage(VersionList.self, bytes)
    checkMessage(PositionMessage.self, bytes)
    checkMessage(TrashList.self, bytes)
    return 0
}
