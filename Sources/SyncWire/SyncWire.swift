// SyncWire: see ARCHITECTURE.md.
