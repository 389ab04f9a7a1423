// SyncDevice: see ARCHITECTURE.md.
