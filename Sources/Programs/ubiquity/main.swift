// The program ubiquity.
