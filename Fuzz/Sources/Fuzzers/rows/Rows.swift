import FuzzSupport
import SyncCore
import SyncWire

/// What a device and the server read back from their databases.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](fuzzed: start, count)
    checkStructure(NodeRecord.self, bytes)
    checkStructure(OutboxEntry.self, bytes)
    checkStructure(RegisterRecord.self, bytes)
    checkStructure(ReplicaProgress.self, bytes)
    checkStructure(ItemState.self, bytes)
    checkStructure(RegisterState.self, bytes)
    checkStructure(Outcome.self, bytes)
    checkStructure(StoredContent.self, bytes)
    checkFacts(bytes)
    return 0
}

private func checkFacts(_ bytes: [UInt8]) {
    guard let facts = VersionFacts(bytes: bytes) else { return }
    require(VersionFacts(bytes: facts.bytes) == facts, "\(facts) is not read back")
}
