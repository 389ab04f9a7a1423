import DeviceSocket
import Foundation
import SyncCore
import Testing

@testable import Ubiquity

@Suite(.timeLimit(.minutes(1))) struct AvailabilityTests {
    @Test func withoutADaemonThereIsNoContainerAndAReason() throws {
        let home = try TestHome()
        #expect { try home.session.containerFolder(nil) } throws: {
            ($0 as? UbiquityUnavailability)?.code == .deviceNotRunning
        }
    }

    @Test func withoutAnAccountThereIsNoContainer() throws {
        let home = try TestHome()
        let daemon = try TestDaemon(home.home)
        daemon.setAccount(nil)
        #expect { try home.session.containerFolder(nil) } throws: {
            ($0 as? UbiquityUnavailability)?.code == .signedOut
        }
        #expect(home.session.account == nil)
    }

    @Test func onlyEntitledContainersAreGiven() throws {
        let home = try TestHome()
        let daemon = try TestDaemon(home.home)
        #expect { try home.session.containerFolder("iCloud.other") } throws: {
            ($0 as? UbiquityUnavailability)?.code == .notEntitled
        }
        let folder = try home.session.containerFolder("iCloud.org.ubiquity.notes")
        #expect(folder == (try home.session.containerFolder(nil)))
        #expect(folder.lastPathComponent == "iCloud.org.ubiquity.notes")
        daemon.stop()
    }

    @Test func aDaemonThatComesBackIsUsedAgain() throws {
        let home = try TestHome()
        let world = try TestDaemon(home.home).stop()
        let daemon = try TestDaemon(home.home, world)
        _ = try home.session.containerFolder(nil)
        let again = try TestDaemon(home.home, daemon.stop())
        _ = try home.session.containerFolder(nil)
        again.stop()
    }

    @Test func anotherAccountIsTold() async throws {
        let home = try TestHome()
        let daemon = try TestDaemon(home.home)
        #expect(home.session.account?.low == 1)
        let changes = Notifications(.NSUbiquityIdentityDidChange, nil)
        // The watch has its first answer when the account was asked for a container.
        _ = try home.session.containerFolder(nil)
        daemon.setAccount(DaemonWorld.account(2, "grace"))
        _ = await changes.next()
        #expect(home.session.account?.low == 2)
    }
}
