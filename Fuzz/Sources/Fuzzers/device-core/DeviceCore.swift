import FuzzSupport
import SyncWire

/// What a core is told and answers when it is spoken to in bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](fuzzed: start, count)
    checkMessage(ReplicaOrigin.self, bytes)
    checkMessage(ReplicaInput.self, bytes)
    checkMessage(ReplicaOutput.self, bytes)
    checkMessage(MergeQuestion.self, bytes)
    checkMessage(MergeAnswer.self, bytes)
    return 0
}
