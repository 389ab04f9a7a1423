// SyncSimulation: see ARCHITECTURE.md.
