// SyncStore: see ARCHITECTURE.md.
