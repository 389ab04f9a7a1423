// Notes: see ARCHITECTURE.md.
