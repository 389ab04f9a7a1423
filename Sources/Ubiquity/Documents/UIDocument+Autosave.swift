import Dispatch
import Foundation

/// When a document saves by itself.
struct DocumentAutosave {
    /// From the last change to the save.
    var pause = DispatchTimeInterval.milliseconds(500)
    /// The longest time that a change is unsaved, while the changes go on.
    var longest = DispatchTimeInterval.seconds(5)
    /// From a save that failed to the next attempt.
    var pauseAfterFailure = DispatchTimeInterval.seconds(5)
    /// Of the oldest change that is unsaved.
    fileprivate var latest: DispatchTime?
    fileprivate var number = 0
}

extension UIDocument {
    /// Saves a moment after the last change; each change puts it off, but not for ever.
    func scheduleAutosave() {
        autosave.number += 1
        guard hasUnsavedChanges else {
            autosave.latest = nil
            return
        }
        let latest = autosave.latest ?? DispatchTime.now() + autosave.longest
        autosave.latest = latest
        let hasFailed = state.contains(.savingError)
        let due = DispatchTime.now() + (hasFailed ? autosave.pauseAfterFailure : autosave.pause)
        let number = autosave.number
        DispatchQueue.main.asyncAfter(deadline: hasFailed ? due : min(due, latest)) {
            [weak self] in
            MainQueue.async { self?.autosaveIfDue(number) }
        }
    }

    private func autosaveIfDue(_ number: Int) {
        guard number == autosave.number, hasUnsavedChanges else { return }
        guard presence.savesUnderWay == 0 else { return }
        autosave.latest = nil
        autosave(completionHandler: nil)
    }
}
