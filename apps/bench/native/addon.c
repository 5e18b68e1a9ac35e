// Makes a yardstick callable from Node. A slice of queries is one call, as for an engine that asks itself.

#include "napi.h"
#include "yardstick.h"

static void discard(napi_env env, void *tracer, void *hint) {
	(void)env;
	(void)hint;
	yardstick_free(tracer);
}

/** create(words: Uint32Array, kind: string, corners: Float32Array, number, keepsDistance: number): a tracer, or undefined */
static napi_value create(napi_env env, napi_callback_info info) {
	napi_value args[5], result;
	size_t count = 5;
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	struct shape shape = {0};
	napi_get_value_string_utf8(env, args[1], shape.kind, sizeof shape.kind, NULL);
	const float *corners = array(env, args[2]);
	memcpy(shape.mins, corners, sizeof shape.mins);
	memcpy(shape.maxs, corners + 3, sizeof shape.maxs);
	napi_get_value_int32(env, args[3], &shape.number);
	napi_get_value_int32(env, args[4], &shape.keeps_distance);
	struct tracer *tracer = yardstick_create(array(env, args[0]), &shape);
	if (tracer) napi_create_external(env, tracer, discard, NULL, &result);
	else napi_get_undefined(env, &result);
	return result;
}

/** run(tracer, queries: Float32Array, first: number, last: number): the sum of their fractions */
static napi_value run(napi_env env, napi_callback_info info) {
	napi_value args[4], result;
	size_t count = 4;
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	struct tracer *tracer;
	int32_t first, last;
	napi_get_value_external(env, args[0], (void **)&tracer);
	const float *queries = array(env, args[1]);
	napi_get_value_int32(env, args[2], &first);
	napi_get_value_int32(env, args[3], &last);
	double sum = 0;
	struct answer answer;
	for (int32_t k = first; k < last; k++) {
		yardstick_trace(tracer, queries + 6 * k, queries + 6 * k + 3, &answer);
		sum += answer.fraction;
	}
	napi_create_double(env, sum, &result);
	return result;
}

/** trace(tracer, query: Float32Array, out: Float32Array): fraction, end, and whether it starts, or is all, in something solid */
static napi_value trace(napi_env env, napi_callback_info info) {
	napi_value args[3], result;
	size_t count = 3;
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	struct tracer *tracer;
	napi_get_value_external(env, args[0], (void **)&tracer);
	const float *query = array(env, args[1]);
	float *out = array(env, args[2]);
	struct answer answer;
	yardstick_trace(tracer, query, query + 3, &answer);
	out[0] = answer.fraction;
	memcpy(out + 1, answer.end, sizeof answer.end);
	out[4] = (float)answer.start_solid;
	out[5] = (float)answer.all_solid;
	napi_get_undefined(env, &result);
	return result;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	const struct export functions[] = {{"create", create}, {"run", run}, {"trace", trace}};
	return export(env, exports, functions, sizeof functions / sizeof functions[0]);
}
