import SyncCore
import SyncWire
import WebCore

// What JavaScript calls. Bytes go in as a place and a count, in memory that it allocated; they come
// out as a place where four bytes, least significant first, say how many follow. Who gets a place
// frees it. Zero stands for bytes that cannot be read.

/// Starts a device from a `ReplicaOrigin`.
@_cdecl("ubiquity_start")
@_expose(wasm, "ubiquity_start")
public func start(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> UnsafeMutableRawPointer? {
    do throws(WireError) {
        let (device, output) = try BrowserDevice.start(from: copy(bytes, count))
        return Unmanaged.passRetained(Session(device, output)).toOpaque()
    } catch {
        return nil
    }
}

/// The first `ReplicaOutput` of a device.
@_cdecl("ubiquity_first_output")
@_expose(wasm, "ubiquity_first_output")
public func firstOutput(_ device: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    handOut(session(device).firstOutput)
}

/// Takes a `ReplicaInput` and gives a `ReplicaOutput`.
@_cdecl("ubiquity_receive")
@_expose(wasm, "ubiquity_receive")
public func receive(
    _ device: UnsafeMutableRawPointer, _ bytes: UnsafePointer<UInt8>, _ count: Int32
) -> UnsafeMutableRawPointer? {
    do throws(WireError) {
        return handOut(try session(device).device.receive(copy(bytes, count)))
    } catch {
        return nil
    }
}

/// Forgets a device.
@_cdecl("ubiquity_stop")
@_expose(wasm, "ubiquity_stop")
public func stop(_ device: UnsafeMutableRawPointer) {
    Unmanaged<Session>.fromOpaque(device).release()
}

/// Takes a `MergeQuestion` and gives a `MergeAnswer`.
@_cdecl("ubiquity_merge")
@_expose(wasm, "ubiquity_merge")
public func merge(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> UnsafeMutableRawPointer? {
    do throws(WireError) {
        return handOut(MergeAnswer(to: try MergeQuestion(message: copy(bytes, count))).message())
    } catch {
        return nil
    }
}

/// Takes a byte that names a kind of message, and the message, and gives it written again.
@_cdecl("ubiquity_rewrite")
@_expose(wasm, "ubiquity_rewrite")
public func rewrite(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> UnsafeMutableRawPointer? {
    do throws(WireError) {
        return handOut(try Rewriting.rewritten(copy(bytes, count)))
    } catch {
        return nil
    }
}

/// The SHA-256 of bytes.
@_cdecl("ubiquity_hash")
@_expose(wasm, "ubiquity_hash")
public func hash(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> UnsafeMutableRawPointer {
    handOut(SHA256.hash(copy(bytes, count)).bytes)
}

/// Memory for a message that goes in.
@_cdecl("ubiquity_allocate")
@_expose(wasm, "ubiquity_allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: Int(count), alignment: 16)
}

/// Gives memory back, whoever made it.
@_cdecl("ubiquity_free")
@_expose(wasm, "ubiquity_free")
public func free(_ place: UnsafeMutableRawPointer) {
    place.deallocate()
}

/// A device that JavaScript holds.
private final class Session {
    var device: BrowserDevice
    let firstOutput: [UInt8]

    init(_ device: BrowserDevice, _ firstOutput: [UInt8]) {
        self.device = device
        self.firstOutput = firstOutput
    }
}

private func session(_ device: UnsafeMutableRawPointer) -> Session {
    Unmanaged<Session>.fromOpaque(device).takeUnretainedValue()
}

private func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> [UInt8] {
    Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

private func handOut(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
    let place = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 4, alignment: 16)
    place.storeBytes(of: UInt32(bytes.count).littleEndian, as: UInt32.self)
    bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        (place + 4).copyMemory(from: start, byteCount: bytes.count)
    }
    return place
}
