// What Linux offers and Swift's Glibc module does not reach. Each function says why it is here.
#pragma once

// Disk.
#include "disk.h"
