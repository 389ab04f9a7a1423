// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Apple's documentation of NSUbiquitousKeyValueStore, "Getting change notification keys".

/// Key of a change notification's reason: one of the four numbers below, an `Int`.
public let NSUbiquitousKeyValueStoreChangeReasonKey = "NSUbiquitousKeyValueStoreChangeReasonKey"
/// Key of the keys that have changed, a `[String]`.
public let NSUbiquitousKeyValueStoreChangedKeysKey = "NSUbiquitousKeyValueStoreChangedKeysKey"

/// Reason: another device, or another program of this one, wrote.
public var NSUbiquitousKeyValueStoreServerChange: Int { 0 }
/// Reason: the values that the cloud has, at the first look; they take precedence.
public var NSUbiquitousKeyValueStoreInitialSyncChange: Int { 1 }
/// Reason: the keys' last writes were refused, because a limit would be passed.
///
/// The keys have their old values again.
public var NSUbiquitousKeyValueStoreQuotaViolationChange: Int { 2 }
/// Reason: the device has joined another account, whose values the store has now.
public var NSUbiquitousKeyValueStoreAccountChange: Int { 3 }
