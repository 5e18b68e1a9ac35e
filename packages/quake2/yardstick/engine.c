// The game that Yamagi Quake II's dedicated server loads to be measured.

#include "engine.h"

#include <stdint.h>

enum { VERSION = 3, SOLID = 1, WINDOW = 2, SOLID_ENTITIES = 1, MOST_ENTITIES = 1024, ENTITY_BYTES = 1024 };

struct trace {
	int all_solid, start_solid;
	float fraction, end[3], normal[3], dist;
	uint8_t type, signs, pad[2];
	void *surface;
	int contents;
	void *entity;
};

/** What the server offers to games, as far as it is asked for here. */
struct server {
	void *before_trace[12];
	struct trace (*trace)(const float *start, const float *mins, const float *maxs, const float *end, void *pass, int mask);
	void *before_search[7];
	int (*find_entities)(const float *mins, const float *maxs, void **list, int most, int kind);
};

/** What the server asks of games: the third of its functions begins a map. */
struct game {
	int version;
	void *functions[15];
	void *entities;
	int entity_size, entity_count, most_entities;
};

static struct server server;

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
	void *entities[MOST_ENTITIES];
	return server.find_entities(low, high, entities, MOST_ENTITIES, SOLID_ENTITIES);
}

static void do_nothing(void) {
}

struct game *GetGameAPI(const struct server *offered) {
	static char entities[MOST_ENTITIES][ENTITY_BYTES];
	static struct game game = {VERSION, {NULL}, entities, ENTITY_BYTES, 1, MOST_ENTITIES};
	server = *offered;
	for (int k = 0; k < 15; k++) game.functions[k] = (void *)do_nothing;
	game.functions[2] = (void *)engine_serve;
	return &game;
}
