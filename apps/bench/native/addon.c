// Makes a yardstick callable from Node, through the stable part of Node-API that is declared here, so that nothing but a
// compiler is needed. A slice of queries is one call, as for an engine that asks itself.

#include "yardstick.h"

#include <string.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_finalize)(napi_env, void *, void *);

extern int napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern int napi_set_named_property(napi_env, napi_value, const char *, napi_value);
extern int napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
extern int napi_get_typedarray_info(napi_env, napi_value, int *, size_t *, void **, napi_value *, size_t *);
extern int napi_create_external(napi_env, void *, napi_finalize, void *, napi_value *);
extern int napi_get_value_external(napi_env, napi_value, void **);
extern int napi_get_value_string_utf8(napi_env, napi_value, char *, size_t, size_t *);
extern int napi_get_value_int32(napi_env, napi_value, int32_t *);
extern int napi_create_double(napi_env, double, napi_value *);
extern int napi_get_undefined(napi_env, napi_value *);

static void *array(napi_env env, napi_value value) {
	int type;
	size_t length;
	void *data = NULL;
	napi_value buffer;
	size_t offset;
	napi_get_typedarray_info(env, value, &type, &length, &data, &buffer, &offset);
	return data;
}

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
	const struct {
		const char *name;
		napi_callback call;
	} functions[] = {{"create", create}, {"run", run}, {"trace", trace}};
	for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
		napi_value function;
		napi_create_function(env, functions[k].name, strlen(functions[k].name), functions[k].call, NULL, &function);
		napi_set_named_property(env, exports, functions[k].name, function);
	}
	return exports;
}
