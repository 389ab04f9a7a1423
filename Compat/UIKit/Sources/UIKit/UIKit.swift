// For files that say `import UIKit` and use documents, queries and key-values only.
@_exported import Ubiquity
