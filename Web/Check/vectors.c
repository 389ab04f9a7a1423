// The vectors travel within the module: what runs it passes numbers only.

static const unsigned char vectors[] = {
#embed VECTORS
};

int check_vectors(const unsigned char *bytes, int count);

__attribute__((export_name("check"))) int check(void) {
    return check_vectors(vectors, sizeof vectors);
}
