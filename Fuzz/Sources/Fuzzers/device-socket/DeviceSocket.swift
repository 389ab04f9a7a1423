import FuzzSupport
import SyncWire

/// What programs and the daemon say to each other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](fuzzed: start, count)
    checkMessage(DeviceRequest.self, bytes)
    // A body that only a later version knows is passed over, and cannot be written again.
    if let message = try? DeviceMessage(message: bytes), case .unknown = message.body { return 0 }
    checkMessage(DeviceMessage.self, bytes)
    return 0
}
