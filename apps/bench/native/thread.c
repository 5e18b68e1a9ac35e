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
/** One for each thread: isolates call this too. */
static _Thread_local cpu_set_t before;
#endif

/**
 * stay(processor): the thread, and what it starts, stays on a processor until roam(), where the system has such a thing;
 * on the one where it is for -1. Gives the processor; -1 where it may go anywhere.
 */
static napi_value stay(napi_env env, napi_callback_info info) {
	napi_value argument, result;
	size_t count = 1;
	int32_t processor = 0;
	napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
	napi_get_value_int32(env, argument, &processor);
#ifdef __linux__
	cpu_set_t here;
	if (processor < 0) processor = sched_getcpu();
	CPU_ZERO(&here);
	CPU_SET(processor, &here);
	sched_getaffinity(0, sizeof before, &before);
	if (sched_setaffinity(0, sizeof here, &here) != 0) processor = -1;
#else
	processor = -1;
#endif
	napi_create_double(env, processor, &result);
	return result;
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
