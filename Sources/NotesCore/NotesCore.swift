// NotesCore: see ARCHITECTURE.md.
