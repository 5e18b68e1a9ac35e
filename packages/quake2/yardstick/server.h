// What Yamagi Quake II's dedicated server and its game share, as far as games of ours need it.
#pragma once

#include <stdint.h>

enum { API_VERSION = 3, MOST_ENTITIES = 1024, ENTITY_BYTES = 1024 };

/** A surface of the map; those of one map lie one after another. */
struct surface {
	char name[16];
	int flags, value;
	char only_the_servers[32];
};

struct trace {
	int all_solid, start_solid;
	float fraction, end[3], normal[3], dist;
	uint8_t type, signs, pad[2];
	struct surface *surface;
	int contents;
	void *entity;
};

enum { SOLID_BOX = 2, SOLID_MODEL = 3, DEAD_MONSTER = 2 };

/** The part of an entity that the server knows. */
struct entity {
	int number;
	float origin[3], angles[3], old_origin[3];
	int models[4], frame, skin;
	unsigned effects;
	int render_effects, solid_bits, sound, event;
	void *client;
	int in_use, link_count;
	void *area[2];
	int cluster_count, clusters[16], head, areas[2];
	int flags;
	float mins[3], maxs[3], abs_mins[3], abs_maxs[3], size[3];
	int solid, clip_mask;
	void *owner;
};

/** A player's state and command, what a move makes of them, and how it asks about the world. */
struct player_move {
	struct {
		int type;
		int16_t origin[3], velocity[3];
		uint8_t flags, time;
		int16_t gravity, delta_angles[3];
	} state;
	struct {
		uint8_t msec, buttons;
		int16_t angles[3], forward, side, up;
		uint8_t impulse, light;
	} command;
	int snap_initial;
	int touch_count;
	void *touched[32];
	float view[3], view_height, mins[3], maxs[3];
	void *ground;
	int water_type, water_level;
	struct trace (*trace)(const float *start, const float *mins, const float *maxs, const float *end);
	int (*contents)(const float *point);
};

/** What the server offers to games. */
struct server {
	void *before_set_model[11];
	void (*set_model)(void *entity, const char *name);
	struct trace (*trace)(const float *start, const float *mins, const float *maxs, const float *end, void *pass, int mask);
	int (*contents)(const float *point);
	void *before_link[4];
	void (*link)(void *entity);
	void (*unlink)(void *entity);
	int (*find_entities)(const float *mins, const float *maxs, void **list, int most, int kind);
	void (*move_player)(struct player_move *move);
};

/** What the server asks of games: the third of its functions begins a map. */
struct game {
	int version;
	void *functions[15];
	void *entities;
	int entity_size, entity_count, most_entities;
};

static struct server server;
static char entities[MOST_ENTITIES][ENTITY_BYTES];

static void do_nothing(void) {
}

/** A game that does no more than begin maps. */
static struct game *game_that_begins(const struct server *offered, void (*begin)(void)) {
	static struct game game = {API_VERSION, {0}, entities, ENTITY_BYTES, 1, MOST_ENTITIES};
	server = *offered;
	for (int k = 0; k < 15; k++) game.functions[k] = (void *)do_nothing;
	game.functions[2] = (void *)begin;
	return &game;
}
