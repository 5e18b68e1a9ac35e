// The game that Yamagi Quake II's dedicated server loads to be measured.

#include "engine.h"

#include "server.h"

enum { SOLID = 1, WINDOW = 2, SOLID_ENTITIES = 1 };

static int engine_shape(const char *kind) {
	return strcmp(kind, "box") == 0 || strcmp(kind, "ray") == 0;
}

static void engine_trace(const float start[3], const float end[3], struct found *out) {
	const struct trace trace = server.trace(start, engine_mins, engine_maxs, end, NULL, SOLID | WINDOW);
	out->fraction = trace.fraction;
	memcpy(out->end, trace.end, sizeof trace.end);
	out->start_solid = trace.start_solid;
	out->all_solid = trace.all_solid;
}

static int engine_search(const float low[3], const float high[3]) {
	void *found[MOST_ENTITIES];
	return server.find_entities(low, high, found, MOST_ENTITIES, SOLID_ENTITIES);
}

struct game *GetGameAPI(const struct server *offered) {
	return game_that_begins(offered, engine_serve);
}
