import FuzzSupport
import SyncCore
import SyncWire

/// The log, as it is pulled, pushed and stored.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](fuzzed: start, count)
    checkMessage(PullAnswer.self, bytes)
    checkMessage(PushMessage.self, bytes)
    checkStructure(LogEntry.self, bytes)
    return 0
}
