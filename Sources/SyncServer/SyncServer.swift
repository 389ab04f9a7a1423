// SyncServer: see ARCHITECTURE.md.
