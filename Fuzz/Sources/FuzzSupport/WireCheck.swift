package import SyncWire

/// Reads bytes as a message; one that is read comes back from its own bytes as the same value.
package func checkMessage<Message: WireMessage & Equatable>(
    _ type: Message.Type, _ bytes: [UInt8]
) {
    guard let message = try? Message(message: bytes) else { return }
    let again = try? Message(message: message.message())
    require(again == message, "\(message) is read back as \(again.debugDescription)")
}

/// The same for a structure that carries no version: a row, or what is within a message.
package func checkStructure<Structure: WireStructure & Equatable>(
    _ type: Structure.Type, _ bytes: [UInt8]
) {
    guard let structure = try? Structure(decoding: bytes) else { return }
    let again = try? Structure(decoding: structure.encoded())
    require(again == structure, "\(structure) is read back as \(again.debugDescription)")
}
