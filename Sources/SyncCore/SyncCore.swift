// SyncCore: see ARCHITECTURE.md.
