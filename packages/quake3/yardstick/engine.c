// The game that ioquake3's dedicated server loads to be measured.

#include "engine.h"

#include <stdint.h>

// Calls of the server, and of the game, by number.
enum { TRACE = 24, FIND_ENTITIES = 32, TRACE_CAPSULE = 43, INIT = 0 };
enum { NO_ENTITY = 1023, SOLID = 1, MOST_ENTITIES = 1024 };

struct trace {
	int all_solid, start_solid;
	float fraction, end[3], normal[3], dist;
	uint8_t type, signs, pad[2];
	int surface_flags, contents, entity;
};

static intptr_t (*server)(intptr_t, ...);
static int trace_call = TRACE;

static int engine_shape(const char *kind) {
	trace_call = strcmp(kind, "capsule") == 0 ? TRACE_CAPSULE : TRACE;
	return trace_call == TRACE_CAPSULE || strcmp(kind, "box") == 0 || strcmp(kind, "ray") == 0;
}

static void engine_trace(const float start[3], const float end[3], struct found *out) {
	struct trace trace;
	const intptr_t none = NO_ENTITY, mask = SOLID;
	server(trace_call, &trace, start, engine_mins, engine_maxs, end, none, mask);
	out->fraction = trace.fraction;
	memcpy(out->end, trace.end, sizeof trace.end);
	out->start_solid = trace.start_solid;
	out->all_solid = trace.all_solid;
}

static int engine_search(const float low[3], const float high[3]) {
	int entities[MOST_ENTITIES];
	return (int)server(FIND_ENTITIES, low, high, entities, (intptr_t)MOST_ENTITIES);
}

void dllEntry(intptr_t (*call)(intptr_t, ...)) {
	server = call;
}

intptr_t vmMain(int call) {
	if (call == INIT) engine_serve();
	return 0;
}
