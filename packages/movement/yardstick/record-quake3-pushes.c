// The game that ioquake3's dedicated server loads to record how its movers carry and push players, items and corpses: it passes
// everything on to the server's own game, puts that one's entities to where each scene begins, and looks at them whenever a mover
// has moved. See scripts/record-quake3-pushes.ts in conformance.
//
// BSPKIT_GAME names the server's own game. BSPKIT_QUESTIONS names a file with
//   tokens N, then N lines: the map's entities, in place of its own
//   scenes N, then N times
//     scene MEMBERS FRAMES, then a line for each member: see take_member
//     a line for each frame: its length in milliseconds, then for each player that is a member: whether it moves, where it looks,
//     in 65,536 parts of a turn, and how far it goes forward, right and up
// BSPKIT_ANSWERS names the file for what is found: see print_row and the columns in record-quake3-pushes.ts.

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
enum { PLAYER = 1, ITEM = 2, MOVER = 4, STATIONARY = 0, SINE = 4, NO_ENTITY = 1023, WORLD = 1022, PLAYERS = 64, ARGUMENTS = 14 };
enum { STOPS = 0x400, SLAVE = 0x400, UNHURT = 0x10, SOLID_AND_CLIP = 0x10001, TRIGGER = 0x40000000, CORPSE = 0x4000000 };
/** Kinds of members, and of rows. */
enum { A_MOVER, AN_ITEM, A_CORPSE, A_PLAYER, MOST_MEMBERS = 24, MOST_LINKS = 400 };
enum { GIVEN, FLIGHT, PUSH, LOOK };
enum { START = 3100, FRAME = 50 };

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

/** What a player wants. */
struct command { int time, angles[3], buttons; unsigned char weapon; signed char forward, right, up; };

struct member {
	struct entity *entity;
	int kind;
	/** What its last row has said. */
	float origin[3], base[3], box[6];
	int ground, yaw;
	/** Whether it is a player who was linked in whole numbers. */
	int has_gone;
};

static server_call server;
static game_call game;
static char *entities;
static int entity_size;
static char **tokens;
static int token_count, next_token;
static FILE *in, *out;
static struct command commands[PLAYERS];

static struct member members[MOST_MEMBERS + 1];
static int member_count, scene, frame, now, is_running, is_broken;

/** The team that moves, what was linked since, which of it could not be moved although it bobs, and what blocks it. */
static struct entity *team, *obstacle;
static int links[MOST_LINKS], link_count, crushed[MOST_LINKS], crushed_count;
static int tested, was_solid;
/** Whose flight has been traced. */
static int flight;
static struct trace flown;
static float asked[3];

static struct entity *entity_of(int number) { return (struct entity *)(entities + (size_t)number * entity_size); }

/** The number of a member, from 1; 0 for anything else. */
static int member_of(const struct entity *entity) {
	for (int k = 1; k <= member_count; k++)
		if (members[k].entity == entity) return k;
	return 0;
}

/** What rows call what the game has a number for: members by their own numbers. */
static int named(int number) {
	if (number >= WORLD) return number;
	const int member = member_of(entity_of(number));
	return member > 0 ? member : WORLD;
}

static int take_int(void) {
	int value;
	if (fscanf(in, "%d", &value) != 1) abort();
	return value;
}

static void take_floats(float *to, int count) {
	for (int k = 0; k < count; k++)
		if (fscanf(in, "%f", to + k) != 1) abort();
}

static int take_count(const char *name) {
	char found[16];
	if (fscanf(in, "%15s", found) != 1 || strcmp(found, name) != 0) abort();
	return take_int();
}

static void begin_questions(void) {
	in = fopen(getenv("BSPKIT_QUESTIONS"), "r");
	out = fopen(getenv("BSPKIT_ANSWERS"), "w");
	if (in == NULL || out == NULL) abort();
	token_count = take_count("tokens");
	tokens = calloc(token_count, sizeof *tokens);
	if (tokens == NULL || fgetc(in) != '\n') abort();
	for (int k = 0; k < token_count; k++) {
		size_t room = 0;
		if (getline(&tokens[k], &room, in) < 0) abort();
		tokens[k][strcspn(tokens[k], "\n")] = 0;
	}
}

static void print_floats(const float *from, int count) {
	for (int k = 0; k < count; k++) fprintf(out, " %.9g", from[k]);
}

static void print_list(const int *from, int count) {
	fprintf(out, " [");
	for (int k = 0; k < count; k++) fprintf(out, k > 0 ? ",%d" : "%d", from[k]);
	fprintf(out, "]");
}

static void print_row(int kind, int thing) { fprintf(out, "%d %d %d %d %d", kind, scene, frame, now, thing); }

static const float *place_of(const struct entity *entity) {
	return entity->player != NULL ? entity->player->origin : entity->origin;
}

static int yaw_of(const struct entity *entity) { return entity->player != NULL ? entity->player->deltas[1] : 0; }

/** Whether something has changed since its last row; then that is remembered. */
static int has_changed(struct member *member) {
	const struct entity *at = member->entity;
	struct member now_is = *member;
	memcpy(now_is.origin, place_of(at), sizeof now_is.origin);
	memcpy(now_is.base, at->path.base, sizeof now_is.base);
	if (at->player != NULL) memset(now_is.base, 0, sizeof now_is.base);
	memcpy(now_is.box, at->abs_mins, sizeof now_is.box);
	now_is.ground = at->player != NULL ? 0 : at->ground;
	now_is.yaw = yaw_of(at);
	const int changed = memcmp(&now_is, member, sizeof now_is) != 0;
	*member = now_is;
	return changed;
}

/** Prints what has become of something. */
static void print_state(int number) {
	const struct entity *at = members[number].entity;
	print_floats(place_of(at), 3);
	if (members[number].has_gone) fprintf(out, " - - - - - -");
	else print_floats(at->abs_mins, 6);
	if (at->player != NULL) fprintf(out, " %d", yaw_of(at));
	else {
		fprintf(out, " %d %d", at->path.type, at->path.time);
		print_floats(at->path.base, 6);
		fprintf(out, " %d", named(at->ground));
	}
	fprintf(out, "\n");
	has_changed(members + number);
}

/** What was last tested, and was in solid at every place, could not be moved. */
static void note_crushed(void) {
	if (tested > 0 && was_solid) crushed[crushed_count++] = tested;
}

/**
 * Prints the push that has ended, or the flight, and what has become of everything but what begins to fly, whose path the game has
 * changed by now.
 */
static void end_row(int flier) {
	if (team != NULL) {
		struct entity *const first = team;
		team = NULL;
		if (obstacle == NULL) note_crushed();
		tested = 0;
		print_row(PUSH, member_of(first));
		fprintf(out, " %d", obstacle != NULL ? member_of(obstacle) : 0);
		print_list(links, link_count);
		print_list(crushed, crushed_count);
		for (const struct entity *part = first; part != NULL; part = part->next) {
			print_floats(part->origin, 3);
			print_floats(part->angles, 3);
		}
		fprintf(out, "\n");
		for (int k = 1; k <= member_count; k++) {
			if (members[k].kind == A_MOVER || k == flier || !has_changed(members + k)) continue;
			print_row(LOOK, k);
			print_state(k);
		}
	}
	if (flight > 0) {
		print_row(FLIGHT, flight);
		print_floats(&flown.fraction, 7);
		fprintf(out, " %d %d", flown.start_solid, named(flown.entity));
		print_floats(asked, 3);
		print_state(flight);
		flight = 0;
	}
}

static void on_blocked(struct entity *mover, struct entity *by) {
	(void)mover;
	obstacle = by;
}

/** A mover is about to move. */
static void on_unlink(struct entity *mover) {
	if (mover->type != MOVER || member_of(mover) == 0) return;
	struct entity *captain = mover;
	for (int k = 1; k <= member_count; k++) {
		struct entity *other = members[k].entity;
		if (members[k].kind != A_MOVER || (other->game_flags & SLAVE) != 0) continue;
		for (struct entity *part = other; part != NULL; part = part->next)
			if (part == mover) captain = other;
	}
	if (team == captain && captain != mover) {
		note_crushed();
		tested = 0;
		return;
	}
	end_row(0);
	team = captain;
	obstacle = NULL;
	link_count = crushed_count = tested = was_solid = 0;
}

static void on_trace(const intptr_t *a) {
	const ptrdiff_t offset = (char *)a[1] - entities;
	if (offset >= 0 && offset < (ptrdiff_t)entity_size * NO_ENTITY && offset % entity_size == offsetof(struct entity, origin)) {
		// Things that fly trace from where they are, and those that are pushed from where their path begins.
		const int flier = member_of(entity_of(offset / entity_size));
		end_row(flier);
		flight = flier;
		memcpy(&flown, (void *)a[0], sizeof flown);
		memcpy(asked, (void *)a[4], sizeof asked);
		return;
	}
	const int member = a[5] < WORLD ? member_of(entity_of(a[5])) : 0;
	if (team == NULL || member == 0) return;
	if (tested != member) note_crushed();
	tested = member;
	was_solid = ((struct trace *)a[0])->start_solid;
}

static void stop(struct entity *at) {
	server(UNLINK, at);
	at->path.type = at->turn.type = STATIONARY;
	at->ground = WORLD;
	at->next = NULL;
	if (at->type == MOVER) at->game_flags |= SLAVE;
}

static void take_path(struct path *to) {
	to->type = take_int();
	to->time = now + take_int();
	to->duration = take_int();
	take_floats(to->base, 3);
	take_floats(to->delta, 3);
	if (to->type == STATIONARY) to->time = 0;
}

/** The next entity that can be a member of this kind. */
static struct entity *find(int kind, int model) {
	for (int number = kind == A_PLAYER ? 0 : PLAYERS; number < NO_ENTITY - 1; number++) {
		struct entity *at = entity_of(number);
		if (at->number != number || member_of(at) > 0) continue;
		const int is_item = at->type == ITEM || at->is_physical;
		if (kind == A_PLAYER ? at->player != NULL : kind == A_MOVER ? at->type == MOVER && at->model == model : is_item) return at;
	}
	abort();
}

/**
 * Reads: kind, model, which of its flags are set (1: it is not the first of its team, 2: it stops at what it meets), the next
 * member of its team or 0, its path and turn (type, time from the scene's begin, duration, base, delta), where it is, its angles,
 * its ground, its box, how it bounces, how a player is turned.
 */
static void take_member(int number, int next_of_team[]) {
	const int kind = take_int(), model = take_int(), flags = take_int();
	struct entity *at = find(kind, model);
	struct member *to = members + number;
	next_of_team[number] = take_int();
	memset(to, 0, sizeof *to);
	to->kind = kind;
	to->entity = at;
	take_path(&at->path);
	take_path(&at->turn);
	take_floats(at->origin, 3);
	take_floats(at->angles, 3);
	// Members that are movers come first.
	const int ground = take_int();
	at->ground = ground == 0 ? WORLD : ground < 0 ? NO_ENTITY : members[ground].entity->number;
	float mins[3], maxs[3], bounce;
	take_floats(mins, 3);
	take_floats(maxs, 3);
	take_floats(&bounce, 1);
	const int yaw = take_int();
	if (kind == A_MOVER) {
		at->flags = (at->flags & ~STOPS) | ((flags & 2) != 0 ? STOPS : 0);
		at->game_flags = (at->game_flags & ~SLAVE) | ((flags & 1) != 0 ? SLAVE : 0);
		at->reached = NULL;
		at->blocked = on_blocked;
		at->next = NULL;
	} else if (kind == A_PLAYER) {
		struct player *player = at->player;
		memcpy(player->origin, at->origin, sizeof player->origin);
		memset(player->velocity, 0, sizeof player->velocity);
		player->flags = player->timer = 0;
		player->ground = at->ground;
		player->time = now;
		player->deltas[1] = yaw;
		at->game_flags |= UNHURT;
	} else {
		memcpy(at->mins, mins, sizeof mins);
		memcpy(at->maxs, maxs, sizeof maxs);
		at->bounce = bounce;
		// As the game has what is left of players: no items, but as they move.
		at->is_physical = kind == A_CORPSE;
		at->type = kind == A_CORPSE ? PLAYER : ITEM;
		at->mask = kind == A_CORPSE ? SOLID_AND_CLIP : 0;
		at->contents = kind == A_CORPSE ? CORPSE : TRIGGER;
	}
	server(LINK, at);
}

static void run_frame(void) {
	frame++;
	const int length = take_int(), time = now + length;
	now = time;
	for (int k = 1; k <= member_count; k++) {
		struct entity *at = members[k].entity;
		if (members[k].kind != A_PLAYER) continue;
		struct command *command = commands + at->number;
		const int moves = take_int();
		memset(command, 0, sizeof *command);
		command->time = time;
		command->angles[1] = take_int();
		command->forward = (signed char)take_int();
		command->right = (signed char)take_int();
		command->up = (signed char)take_int();
		if (!moves) continue;
		game(THINK, (intptr_t)at->number);
		if (at->ground != at->player->ground) is_broken = 1;
		has_changed(members + k);
		members[k].has_gone = 1;
		print_row(GIVEN, k);
		print_floats(at->player->origin, 3);
		fprintf(out, " %d %d\n", named(at->ground), yaw_of(at));
	}
	is_running = 1;
	game(RUN_FRAME, (intptr_t)time);
	end_row(0);
	is_running = 0;
	for (int k = 1; k <= member_count; k++) {
		const struct entity *at = members[k].entity;
		if (!at->linked || (members[k].kind == AN_ITEM && at->type != ITEM)) is_broken = 1;
	}
}

static void run_scene(void) {
	member_count = 0;
	for (int number = 0; number < NO_ENTITY - 1; number++) {
		struct entity *at = entity_of(number);
		if (at->number == number && (at->player != NULL || at->type == MOVER || at->type == ITEM || at->is_physical)) stop(at);
	}
	// The time of the frame before the first counts.
	game(RUN_FRAME, (intptr_t)now);
	const int count = take_count("scene"), frames = take_int();
	int next_of_team[MOST_MEMBERS + 1];
	frame = -1;
	is_broken = 0;
	fprintf(out, "scene %d\n", now);
	for (int k = 1; k <= count; k++) {
		take_member(k, next_of_team);
		member_count = k;
		has_changed(members + k);
	}
	for (int k = 1; k <= count; k++)
		if (next_of_team[k] > 0) members[k].entity->next = members[next_of_team[k]].entity;
	for (int k = 0; k < frames; k++) run_frame();
	for (int k = 1; k <= count; k++) {
		if (members[k].kind == A_MOVER) continue;
		print_row(LOOK, k);
		print_state(k);
	}
	if (is_broken) fprintf(out, "broken\n");
}

static void record(void) {
	const int player_count = 4;
	for (now = FRAME; now < START; now += FRAME) game(RUN_FRAME, (intptr_t)now);
	for (int k = 0; k < player_count; k++) {
		const char *refused = (const char *)game(CONNECT, (intptr_t)k, (intptr_t)1, (intptr_t)0);
		if (refused != NULL) abort();
		game(BEGIN, (intptr_t)k);
	}
	const int scenes = take_count("scenes");
	for (scene = 0; scene < scenes; scene++) {
		run_scene();
		// So that nothing of it is left.
		now += FRAME;
	}
	fclose(out);
	exit(0);
}

static intptr_t pass(intptr_t call, ...) {
	intptr_t a[ARGUMENTS];
	va_list list;
	va_start(list, call);
	for (int k = 0; k < ARGUMENTS; k++) a[k] = va_arg(list, intptr_t);
	va_end(list);
	if (call == GAME_DATA) {
		entities = (char *)a[0];
		entity_size = (int)a[2];
	}
	if (call == ENTITY_TOKEN) {
		if (next_token == token_count) return 0;
		snprintf((char *)a[0], (size_t)a[1], "%s", tokens[next_token++]);
		return 1;
	}
	// Nobody is connected in truth.
	if (call == SEND) return 0;
	if (call == USER_INFO) {
		snprintf((char *)a[1], (size_t)a[2], "\\ip\\localhost\\name\\player%d", (int)a[0]);
		return 0;
	}
	if (call == COMMAND) {
		memcpy((void *)a[1], commands + a[0], sizeof *commands);
		return 0;
	}
	if (is_running && call == UNLINK) on_unlink((struct entity *)a[0]);
	if (is_running && call == LINK && team != NULL) {
		const int member = member_of((struct entity *)a[0]);
		if (member > 0 && link_count < MOST_LINKS) links[link_count++] = member;
		members[member].has_gone = 0;
		// What was moved was free.
		if (member == tested) was_solid = 0;
	}
	const intptr_t answer =
		server(call, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
	if (is_running && call == TRACE) on_trace(a);
	return answer;
}

void dllEntry(server_call call) {
	server = call;
	begin_questions();
	void *module = dlopen(getenv("BSPKIT_GAME"), RTLD_NOW | RTLD_LOCAL);
	if (module == NULL) abort();
	((void (*)(server_call))dlsym(module, "dllEntry"))(pass);
	game = (game_call)dlsym(module, "vmMain");
}

intptr_t vmMain(intptr_t call, intptr_t a, intptr_t b, intptr_t c) {
	if (call == RUN_FRAME) record();
	// The same chances each time.
	return game(call, a, call == INIT ? 1 : b, c);
}
