// Makes a yardstick of player moves callable from Node. A slice of commands is one call, as for an engine that runs them.

#include "moves.h"
#include "napi.h"

static void discard(napi_env env, void *mover, void *hint) {
	(void)env;
	(void)hint;
	moves_free(mover);
}

/** create(words: Uint32Array): a mover, or undefined */
static napi_value create(napi_env env, napi_callback_info info) {
	napi_value args[1], result;
	size_t count = 1;
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	struct mover *mover = moves_create(array(env, args[0]));
	if (mover) napi_create_external(env, mover, discard, NULL, &result);
	else napi_get_undefined(env, &result);
	return result;
}

/** set(mover, settings: Float32Array) */
static napi_value set(napi_env env, napi_callback_info info) {
	napi_value args[2], result;
	size_t count = 2;
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	struct mover *mover;
	napi_get_value_external(env, args[0], (void **)&mover);
	moves_set(mover, array(env, args[1]));
	napi_get_undefined(env, &result);
	return result;
}

/**
 * run(mover, state: Uint8Array, starts: Uint8Array, commands: Int32Array, first: number, last: number): the number of
 * bytes in a state
 */
static napi_value run(napi_env env, napi_callback_info info) {
	napi_value args[6], result;
	size_t count = 6;
	napi_get_cb_info(env, info, &count, args, NULL, NULL);
	struct mover *mover;
	int32_t first, last;
	napi_get_value_external(env, args[0], (void **)&mover);
	void *state = array(env, args[1]);
	const uint8_t *starts = array(env, args[2]);
	const int32_t *commands = array(env, args[3]);
	napi_get_value_int32(env, args[4], &first);
	napi_get_value_int32(env, args[5], &last);
	const int bytes = moves_state_bytes();
	for (int32_t k = first; k < last; k++) {
		const int32_t *command = commands + COMMAND_WORDS * k;
		if (command[0] >= 0) memcpy(state, starts + bytes * command[0], bytes);
		moves_run(mover, state, command + 1);
	}
	napi_create_double(env, bytes, &result);
	return result;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	const struct export functions[] = {{"create", create}, {"set", set}, {"run", run}};
	return export(env, exports, functions, sizeof functions / sizeof functions[0]);
}
