// The program simulate.
