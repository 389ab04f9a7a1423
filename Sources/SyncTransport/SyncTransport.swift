// SyncTransport: see ARCHITECTURE.md.
