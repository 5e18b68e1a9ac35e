// The stable part of Node-API that addons here use, declared so that nothing but a compiler is needed.
#pragma once

#include <stddef.h>
#include <stdint.h>
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

/** A function of an addon's. */
struct export {
	const char *name;
	napi_callback call;
};

/** What a typed array holds. */
static void *array(napi_env env, napi_value value) {
	int type;
	size_t length;
	void *data = NULL;
	napi_value buffer;
	size_t offset;
	napi_get_typedarray_info(env, value, &type, &length, &data, &buffer, &offset);
	return data;
}

/** Adds functions to what an addon exports. */
static napi_value export(napi_env env, napi_value exports, const struct export *functions, size_t count) {
	for (size_t k = 0; k < count; k++) {
		napi_value function;
		napi_create_function(env, functions[k].name, strlen(functions[k].name), functions[k].call, NULL, &function);
		napi_set_named_property(env, exports, functions[k].name, function);
	}
	return exports;
}
