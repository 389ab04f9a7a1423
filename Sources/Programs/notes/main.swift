// The program notes.
