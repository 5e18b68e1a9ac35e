// The game that ioquake3's dedicated server loads to record how its movers carry and push players, items and corpses: it passes
// everything on to the server's own game, puts that one's entities to where each scene begins, and looks at them whenever a mover
// has moved. See scripts/record-quake3.ts in conformance.
//
// BSPKIT_GAME names the server's own game. BSPKIT_QUESTIONS names a file with
//   tokens N, then N lines: the map's entities, in place of its own
//   scenes N, then N times
//     scene MEMBERS FRAMES, then a line for each member: see take_member
//     a line for each frame: its length in milliseconds, then for each player that is a member: whether it moves, where it looks,
//     in 65,536 parts of a turn, and how far it goes forward, right and up
// BSPKIT_ANSWERS names the file for what is found: see print_row, and the columns in the README of fixtures/engine.

#include "record-quake3.h"

enum { STATIONARY = 0, STOPS = 0x400, SLAVE = 0x400, UNHURT = 0x10 };
/** Contents. */
enum { SOLID_AND_CLIP = 0x10001, TRIGGER = 0x40000000, CORPSE = 0x4000000 };
/** Kinds of members, and of rows. */
enum { A_MOVER, AN_ITEM, A_CORPSE, A_PLAYER, MOST_MEMBERS = 24, MOST_LINKS = 400 };
enum { GIVEN, FLIGHT, PUSH, LOOK };
enum { FRAME = 50 };

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
	print_floats(out, place_of(at), 3);
	if (members[number].has_gone) fprintf(out, " - - - - - -");
	else print_floats(out, at->abs_mins, 6);
	if (at->player != NULL) fprintf(out, " %d", yaw_of(at));
	else {
		fprintf(out, " %d %d", at->path.type, at->path.time);
		print_floats(out, at->path.base, 6);
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
			print_floats(out, part->origin, 3);
			print_floats(out, part->angles, 3);
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
		print_floats(out, &flown.fraction, 7);
		fprintf(out, " %d %d", flown.start_solid, named(flown.entity));
		print_floats(out, asked, 3);
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
	to->type = take_int(in);
	to->time = now + take_int(in);
	to->duration = take_int(in);
	take_floats(in, to->base, 3);
	take_floats(in, to->delta, 3);
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
	const int kind = take_int(in), model = take_int(in), flags = take_int(in);
	struct entity *at = find(kind, model);
	struct member *to = members + number;
	next_of_team[number] = take_int(in);
	memset(to, 0, sizeof *to);
	to->kind = kind;
	to->entity = at;
	take_path(&at->path);
	take_path(&at->turn);
	take_floats(in, at->origin, 3);
	take_floats(in, at->angles, 3);
	// Members that are movers come first.
	const int ground = take_int(in);
	at->ground = ground == 0 ? WORLD : ground < 0 ? NO_ENTITY : members[ground].entity->number;
	float mins[3], maxs[3], bounce;
	take_floats(in, mins, 3);
	take_floats(in, maxs, 3);
	take_floats(in, &bounce, 1);
	const int yaw = take_int(in);
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
	const int length = take_int(in), time = now + length;
	now = time;
	for (int k = 1; k <= member_count; k++) {
		struct entity *at = members[k].entity;
		if (members[k].kind != A_PLAYER) continue;
		struct command *command = commands + at->number;
		const int moves = take_int(in);
		memset(command, 0, sizeof *command);
		command->time = time;
		command->angles[1] = take_int(in);
		command->forward = (signed char)take_int(in);
		command->right = (signed char)take_int(in);
		command->up = (signed char)take_int(in);
		if (!moves) continue;
		game(THINK, (intptr_t)at->number);
		if (at->ground != at->player->ground) is_broken = 1;
		has_changed(members + k);
		members[k].has_gone = 1;
		print_row(GIVEN, k);
		print_floats(out, at->player->origin, 3);
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
	const int count = take_count(in, "scene"), frames = take_int(in);
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
	const int scenes = take_count(in, "scenes");
	for (scene = 0; scene < scenes; scene++) {
		run_scene();
		// So that nothing of it is left.
		now += FRAME;
	}
	fclose(out);
	exit(0);
}

static intptr_t pass(intptr_t call, ...) {
	intptr_t a[ARGUMENTS], answer = 0;
	READ_ARGUMENTS(a, call);
	if (is_answered(call, a, &answer)) return answer;
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
	answer = ask_server(call, a);
	if (is_running && call == TRACE) on_trace(a);
	return answer;
}

void dllEntry(server_call call) {
	server = call;
	in = open_file("BSPKIT_QUESTIONS", "r");
	out = open_file("BSPKIT_ANSWERS", "w");
	take_tokens(in);
	load_game(pass);
}

intptr_t vmMain(intptr_t call, intptr_t a, intptr_t b, intptr_t c) {
	if (call == RUN_FRAME) record();
	// The same chances each time.
	return game(call, a, call == INIT ? 1 : b, c);
}
