// Apple's iCloud API on Linux, under Apple's names: a program imports this instead of UIKit or
// Foundation and has all of Foundation with it.
@_exported public import Foundation
