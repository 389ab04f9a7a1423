import Glibc
import SyncCore

/// A fault that a test build has on purpose, so that the tests show that they would find it.
enum PlantedFault {
    /// Named by UBIQUITY_FAULT, in a build with PLANTED_FAULTS only; nil in every other.
    static var chosen: Mutant? {
        #if PLANTED_FAULTS
        return unsafe getenv("UBIQUITY_FAULT").flatMap {
            unsafe Mutant(rawValue: String(cString: $0))
        }
        #else
        return nil
        #endif
    }
}
