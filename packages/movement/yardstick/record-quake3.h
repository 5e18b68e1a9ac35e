// What both recorders of Quake 3's game share: modules that ioquake3's dedicated server loads as its game, and that pass everything on
// to the server's own, whose place BSPKIT_GAME names. In place of the map's entities, that one gets those of BSPKIT_QUESTIONS, a
// file that begins with "tokens N" and N lines.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef intptr_t (*server_call)(intptr_t, ...);
typedef intptr_t (*game_call)(intptr_t, ...);

// Calls of the server, and of the game, by number.
enum { GAME_DATA = 15, SEND = 17, USER_INFO = 20, TRACE = 24, LINK = 30, UNLINK = 31, COMMAND = 36, ENTITY_TOKEN = 37 };
enum { INIT = 0, CONNECT = 2, BEGIN = 3, THINK = 7, RUN_FRAME = 8 };
/** Kinds of entities, and numbers of some. */
enum { PLAYER = 1, ITEM = 2, MISSILE = 3, MOVER = 4, PLAYERS = 64, WORLD = 1022, NO_ENTITY = 1023, MOST = 1024 };
/** When items have dropped to the floor, and what has gone is not replaced at once any more, in milliseconds. */
enum { START = 3100, ARGUMENTS = 14 };

struct path { int type, time, duration; float base[3], delta[3]; };

/** What a player has for the server. */
struct player {
	int time, type, bob, flags, timer;
	float origin[3], velocity[3];
	int weapon_time, gravity, speed, deltas[3], ground;
};

/** How an entity begins. */
struct entity {
	int number, type, flags;
	struct path path, turn;
	int times[2];
	float origins[12];
	int others[2], ground;
	int light, sound, model, rest[11];
	char shared[208];
	int linked, link_count, server_flags, client_only, is_model;
	float mins[3], maxs[3];
	int contents;
	float abs_mins[3], abs_maxs[3], origin[3], angles[3];
	int owner;
	struct player *player;
	char more[24];
	int game_flags;
	char between[36];
	int is_physical;
	float bounce;
	int mask;
	char further[0x308 - 0x25c];
	void *reached;
	void (*blocked)(struct entity *, struct entity *);
	char last[0x380 - 0x318];
	struct entity *next;
};

_Static_assert(offsetof(struct entity, ground) == 0x94, "ground");
_Static_assert(offsetof(struct entity, origin) == 0x1e8, "origin");
_Static_assert(offsetof(struct entity, player) == 0x208, "player");
_Static_assert(offsetof(struct entity, game_flags) == 0x228, "game_flags");
_Static_assert(offsetof(struct entity, is_physical) == 0x250, "is_physical");
_Static_assert(offsetof(struct entity, reached) == 0x308, "reached");
_Static_assert(offsetof(struct entity, next) == 0x380, "next");
_Static_assert(offsetof(struct player, deltas) == 0x38, "deltas");

/** What the server answers to a trace. */
struct trace {
	int all_solid, start_solid;
	float fraction, end[3], normal[3], dist;
	int sides, surface_flags, contents, entity;
};

static server_call server;
static game_call game;
static char *entities;
static int entity_size;
static char **tokens;
static int token_count, next_token;

static struct entity *entity_of(int number) { return (struct entity *)(entities + (size_t)number * entity_size); }

static void *allocate(size_t count, size_t size) {
	void *memory = calloc(count, size);
	if (memory == NULL) abort();
	return memory;
}

static FILE *open_file(const char *variable, const char *mode) {
	FILE *file = fopen(getenv(variable), mode);
	if (file == NULL) abort();
	return file;
}

static int take_int(FILE *file) {
	int value;
	if (fscanf(file, "%d", &value) != 1) abort();
	return value;
}

static void take_floats(FILE *file, float *to, int count) {
	for (int k = 0; k < count; k++)
		if (fscanf(file, "%f", to + k) != 1) abort();
}

static int take_count(FILE *file, const char *name) {
	char found[16];
	if (fscanf(file, "%15s", found) != 1 || strcmp(found, name) != 0) abort();
	return take_int(file);
}

static void take_tokens(FILE *file) {
	token_count = take_count(file, "tokens");
	tokens = allocate(token_count, sizeof *tokens);
	if (fgetc(file) != '\n') abort();
	for (int k = 0; k < token_count; k++) {
		size_t room = 0;
		if (getline(&tokens[k], &room, file) < 0) abort();
		tokens[k][strcspn(tokens[k], "\n")] = 0;
	}
}

static void print_floats(FILE *out, const float *from, int count) {
	for (int k = 0; k < count; k++) fprintf(out, " %.9g", from[k]);
}

/** Reads the arguments of a call, of which there may be fewer. */
#define READ_ARGUMENTS(a, call) \
	do { \
		va_list list; \
		va_start(list, call); \
		for (int k = 0; k < ARGUMENTS; k++) (a)[k] = va_arg(list, intptr_t); \
		va_end(list); \
	} while (0)

/** Answers what the recorders answer in place of the server. Returns whether they do. */
static int is_answered(intptr_t call, const intptr_t *a, intptr_t *answer) {
	if (call == GAME_DATA) {
		entities = (char *)a[0];
		entity_size = (int)a[2];
	}
	if (call != ENTITY_TOKEN) return 0;
	*answer = next_token < token_count;
	if (*answer) snprintf((char *)a[0], (size_t)a[1], "%s", tokens[next_token++]);
	return 1;
}

static intptr_t ask_server(intptr_t call, const intptr_t *a) {
	return server(call, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
}

/** Loads the server's own game, which then asks through `pass`. */
static void load_game(server_call pass) {
	void *module = dlopen(getenv("BSPKIT_GAME"), RTLD_NOW | RTLD_LOCAL);
	if (module == NULL) abort();
	((void (*)(server_call))dlsym(module, "dllEntry"))(pass);
	game = (game_call)dlsym(module, "vmMain");
}
