// What Node does not tell of the thread that asks, or not before version 23.9: the processor time that it takes, and the
// processor that it is on.
#define _GNU_SOURCE
#include <time.h>
#ifdef __linux__
#include <sched.h>
#endif
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

#ifdef __linux__
static cpu_set_t before;
#endif

/** stay(): the thread, and what it starts, stays on this processor until roam(), where the system has such a thing. */
static napi_value stay(napi_env env, napi_callback_info info) {
	(void)info;
	(void)env;
#ifdef __linux__
	cpu_set_t here;
	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_getaffinity(0, sizeof before, &before);
	sched_setaffinity(0, sizeof here, &here);
#endif
	return NULL;
}

/** roam(): it goes where it could go before. */
static napi_value roam(napi_env env, napi_callback_info info) {
	(void)info;
	(void)env;
#ifdef __linux__
	sched_setaffinity(0, sizeof before, &before);
#endif
	return NULL;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	const struct export functions[] = {{"now", now}, {"stay", stay}, {"roam", roam}};
	return export(env, exports, functions, sizeof functions / sizeof functions[0]);
}
