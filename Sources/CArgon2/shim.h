// Argon2id, the password hash of RFC 9106, from Debian's libargon2-dev. The server alone uses it.
#pragma once
#include <argon2.h>
