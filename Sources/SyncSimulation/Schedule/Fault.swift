/// Something that goes wrong from outside, at a planned moment.
///
/// A new one needs a case here, a line in ``Simulation/cause(_:on:_:)``, and an ``Occasion``.
package enum Fault: Hashable, Sendable, CaseIterable {
    /// Those that a schedule has beside its others, and what comes of them.
    static let ofHistories: [Fault] = [.serverRestored, .deviceRestored, .revoked]

    // Of a device's program and machine.
    case processCrash
    /// The program dies before one of its next actions.
    case crashAtAction
    case powerLoss
    case watcherOverflow
    case diskFull
    /// Somebody saves between an install's look at the file and its swap.
    case saveAtInstall
    case clockJump

    // Of the network.
    case linkDown
    case streamBreak

    /// The machine starts without the disk that the documents are on.
    case rootEmptied

    // Of the server.
    /// Days or a year pass while the device is away.
    case daysPass
    case serverCrash
    /// A backup of the server is made, and put back later, perhaps more than once.
    case serverRestored
    /// An image of a device's disk is made, and put back later.
    case deviceRestored
    /// Somebody revokes a device's key, and it joins again later.
    case revoked
    case serverClockJump
}
