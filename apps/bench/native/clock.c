// The processor time of the thread that asks, which Node tells from version 23.9 on only.

#include <time.h>
#include "napi.h"

/** now(): milliseconds */
static napi_value now(napi_env env, napi_callback_info info) {
	(void)info;
	napi_value result;
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	napi_create_double(env, 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec, &result);
	return result;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	const struct export functions[] = {{"now", now}};
	return export(env, exports, functions, sizeof functions / sizeof functions[0]);
}
