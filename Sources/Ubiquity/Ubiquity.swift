// Ubiquity: see ARCHITECTURE.md.
