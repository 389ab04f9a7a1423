// libcurl: the devices' HTTP client.
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

// Options and infos go through variadic functions, which Swift cannot call: one function for each
// kind of value. The parentheses pass by curl's type-checking macros of the same names.

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_data_callback(
    CURL *handle, CURLoption option, curl_write_callback value) {
    return (curl_easy_setopt)(handle, option, value);
}

// The kernel takes no more than a little of a body that it cannot send yet: what curl counts as
// sent is on its way, and a slow link is seen to go on.
static inline int ccurl_keep_unsent_short_of(
    void *context, curl_socket_t descriptor, curlsocktype purpose) {
    (void)context;
    (void)purpose;
    int most = 65536;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof most);
    return CURL_SOCKOPT_OK;
}

static inline CURLcode ccurl_keep_unsent_short(CURL *handle) {
    return (curl_easy_setopt)(handle, CURLOPT_SOCKOPTFUNCTION, ccurl_keep_unsent_short_of);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return (curl_multi_setopt)(handle, option, value);
}

// The message's result is in a union.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}
