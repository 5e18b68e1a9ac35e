// Part of record-quake2.c: scenes with pushers and players, in the order in which the game gives things their turns.
//
// The scene's line ends with 1 then. What has move type 4 is a player, and begins the scene's list; what has call 5 is a pusher, whose
// goal is the first of its team. A line of the answer is also written for each command of a player, and each turn of a pusher.
#pragma once

enum { MOVE_STOP = 3, MOVE_WALK = 4, PUSH_CALL = 5, COMMAND_CALL = 6, TEAM_SLAVE = 1024, UNHURT = 16, UNHEARD = 32, MOST_PLAYERS = 4 };
enum { CENTRE_PRINT = 3, CLIENT_PRINT = 2, MULTICAST = 22, LAST_WRITTEN = 32 };

/** The beginning of what the game knows of a player. */
struct player {
	int type;
	int16_t origin[3], velocity[3];
	uint8_t flags, time;
	int16_t gravity, delta_angles[3];
};

struct command {
	uint8_t msec, buttons;
	int16_t angles[3], moves[3];
	uint8_t impulse, light;
};

/** The thing whose turn it is, and where that is in the file. */
static int turn, scene_now, frame_now;
/** Things as they were before a push. */
static struct { int links, ground, yaw; float origin[3]; } before[MOST_THINGS];
/** What a push was asked, and what has become of it. */
static float asked[6 * MOST_THINGS], poses[6 * MOST_THINGS], places[5 * MOST_THINGS];
static int part_count, blocker, moved[MOST_THINGS], moved_count;

/** Nobody is there to be told anything. */
static void silence(void **passed) {
	passed[CLIENT_PRINT] = passed[CENTRE_PRINT] = (void *)do_nothing;
	for (int k = MULTICAST; k <= LAST_WRITTEN; k++) passed[k] = (void *)do_nothing;
}

static struct player *player_of(const struct thing *thing) {
	return thing->shared.client;
}

static void remove_players(void) {
	for (int k = 1; k <= MOST_PLAYERS; k++) {
		struct thing *at = entity(k);
		if (!at->shared.in_use) continue;
		server.unlink(at);
		at->shared.in_use = 0;
	}
}

static void print_float_list(const float *numbers, int count) {
	fprintf(out, " [");
	for (int k = 0; k < count; k++) fprintf(out, k ? ",%.9g" : "%.9g", numbers[k]);
	fprintf(out, "]");
}

/** Whether a thing moves in the frames' rows. */
static int has_rows(int k) {
	return begins[k].call == PUSH_CALL || (begins[k].move_type != 0 && begins[k].move_type != MOVE_PUSH);
}

static int yaw_of(const struct thing *thing) {
	return thing->shared.client && begins[number_of(thing) - 1].move_type == MOVE_WALK ? player_of(thing)->delta_angles[1] : 0;
}

/** Writes a line for the thing whose turn it was. */
static void end_turn(void) {
	const int k = turn;
	turn = -1;
	if (k < 0 || !things[k]->shared.in_use || !has_rows(k)) return;
	const int pushes = begins[k].call == PUSH_CALL;
	if (pushes) thoughts[k].call = PUSH_CALL;
	print_question(scene_now, frame_now, k);
	fprintf(out, " []");
	print_float_list(asked, pushes ? 6 * part_count : 0);
	if (pushes) fprintf(out, " 0 0 [] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 %d", blocker);
	else {
		print_answer(k);
		fprintf(out, " 0");
	}
	print_float_list(poses, pushes ? 6 * part_count : 0);
	print_list(moved, pushes ? moved_count : 0);
	print_float_list(places, pushes ? 5 * moved_count : 0);
	fputs("\n", out);
}

/** Remembers everything just before a push. */
static void begin_push(struct thing *self) {
	part_count = moved_count = 0;
	blocker = -1;
	for (struct thing *part = self; part; part = part->team_chain, part_count++)
		for (int j = 0; j < 3; j++) {
			asked[6 * part_count + j] = part->velocity[j] * 0.1f;
			asked[6 * part_count + 3 + j] = part->angular_velocity[j] * 0.1f;
		}
	for (int k = 0; k < thing_count; k++) {
		const struct thing *at = things[k];
		before[k].links = at->shared.link_count;
		before[k].ground = number_of(at->ground);
		before[k].yaw = yaw_of(at);
		memcpy(before[k].origin, at->shared.origin, 12);
	}
}

/** Finds what a push has done. */
static void end_push(struct thing *self) {
	part_count = 0;
	for (struct thing *part = self; part; part = part->team_chain, part_count++) {
		memcpy(poses + 6 * part_count, part->shared.origin, 12);
		memcpy(poses + 6 * part_count + 3, part->shared.angles, 12);
	}
	for (int k = 0; k < thing_count; k++) {
		const struct thing *at = things[k];
		const int ground = number_of(at->ground), yaw = yaw_of(at);
		if (begins[k].call == PUSH_CALL || !at->shared.in_use) continue;
		if (before[k].links == at->shared.link_count && before[k].ground == ground && before[k].yaw == yaw && memcmp(before[k].origin, at->shared.origin, 12) == 0) continue;
		float *to = places + 5 * moved_count;
		memcpy(to, at->shared.origin, 12);
		to[3] = (float)ground;
		to[4] = (float)yaw;
		moved[moved_count++] = k + 1;
	}
}

/** The first of a team thinks after a push that nothing has blocked. */
static void think_after_push(struct thing *self) {
	end_push(self);
}

static void turn_back(struct thing *part) {
	for (int j = 0; j < 3; j++) {
		part->velocity[j] = -part->velocity[j];
		part->angular_velocity[j] = -part->angular_velocity[j];
	}
}

static void be_blocked(struct thing *self, struct thing *other) {
	struct thing *first = self->team_master;
	blocker = number_of(other);
	end_push(first);
	// Some go back, as doors do.
	if (begins[number_of(first) - 1].drops)
		for (struct thing *part = first; part; part = part->team_chain) turn_back(part);
}

/** The game says so before each turn, which is when that of the thing before it has ended. */
static void begin_turn(struct thing *self) {
	end_turn();
	turn = number_of(self) - 1;
	if (begins[turn].call != PUSH_CALL) return;
	if (self->flags & TEAM_SLAVE) turn = -1;
	else {
		begin_push(self);
		self->next_think = 0.001f;
	}
}

static void place_pusher(int k) {
	struct thing *to = things[k];
	const int first = begins[k].goal ? begins[k].goal - 1 : k;
	to->goal = NULL;
	to->team_master = things[first];
	to->blocked = be_blocked;
	if (first == k) {
		to->think = think_after_push;
		return;
	}
	to->flags |= TEAM_SLAVE;
	struct thing *last = things[first];
	while (last->team_chain) last = last->team_chain;
	last->team_chain = to;
}

static void place_player(int k) {
	const struct begin *from = begins + k;
	struct thing *to = things[k];
	static char info[512];
	strcpy(info, "\\name\\player\\skin\\male/grunt");
	if (!((int (*)(void *, char *))game->functions[CONNECT])(to, info)) fail("a player is refused");
	((void (*)(void *))game->functions[BEGIN])(to);
	// The game would have its noises take the places of things that are not there.
	to->flags |= UNHURT | UNHEARD;
	to->touch = touched;
	to->ground = NULL;
	memcpy(to->shared.origin, from->origin, 12);
	memcpy(to->velocity, from->velocity, 12);
	server.link(to);
}

/** Has a player do something, and writes a line for that. */
static void command_player(int k) {
	static struct command commands[MOST_THINGS];
	static const int speeds[4] = {0, 400, -400, 200}, times[4] = {100, 50, 100, 25};
	struct command *command = commands + k;
	struct thing *at = things[k];
	if (choose() == 0) {
		command->moves[0] = (int16_t)speeds[choose()];
		command->moves[1] = (int16_t)(choose() == 0 ? speeds[choose()] : 0);
		command->moves[2] = (int16_t)(choose() == 0 ? speeds[choose()] : 0);
		command->angles[1] = (int16_t)(command->angles[1] + (choose() - 1) * 8192 + choose() * 100);
		// Often it stands, and so rides.
		if (choose() != 0) memset(command->moves, 0, sizeof command->moves);
	}
	command->msec = (uint8_t)times[choose()];
	// Sometimes nothing is heard from it.
	if (choose() == 0) return;
	memset(hits[k], 0, sizeof hits[k]);
	((void (*)(void *, void *))game->functions[CLIENT_THINK])(at, command);
	thoughts[k].call = COMMAND_CALL;
	print_question(scene_now, frame_now, k);
	const int numbers[7] = {command->msec, command->angles[0], command->angles[1], command->angles[2], command->moves[0], command->moves[1], command->moves[2]};
	print_list(numbers, 7);
	fprintf(out, " [] 0 0 []");
	const struct player *player = player_of(at);
	for (int j = 0; j < 3; j++) fprintf(out, " %d", player->origin[j]);
	for (int j = 0; j < 3; j++) fprintf(out, " %d", player->velocity[j]);
	for (int j = 0; j < 3; j++) fprintf(out, " %d", player->delta_angles[j]);
	fprintf(out, " 0 0 0 0 0 %d %d %d 0 0 [] [] []\n", number_of(at->ground), at->water_type, at->water_level);
}

static void play_pushes(int scene, int frames) {
	scene_now = scene;
	turn = -1;
	int players = 0;
	for (int k = 0; k < thing_count; k++)
		if (begins[k].move_type == MOVE_WALK) {
			if (players++ != k || players > MOST_PLAYERS) fail("players are the first in a scene, and few");
			things[k] = entity(k + 1);
		}
	for (int k = 0; k < thing_count; k++) {
		if (begins[k].move_type == MOVE_WALK) place_player(k);
		else {
			place(k);
			things[k]->before_think = begin_turn;
			if (begins[k].call == PUSH_CALL) place_pusher(k);
		}
	}
	for (frame_now = 0; frame_now < frames; frame_now++) {
		memset(hit_counts, 0, sizeof hit_counts);
		memset(thoughts, 0, sizeof thoughts);
		memset(heard, 0, sizeof heard);
		for (int k = 0; k < thing_count; k++) {
			struct thing *at = things[k];
			if (begins[k].period == 0 || frame_now % begins[k].period != begins[k].period - 1 || !at->shared.in_use) continue;
			if (begins[k].call == PUSH_CALL) {
				turn_back(at);
				continue;
			}
			// What moves is knocked, what does not is moved.
			const int moves = has_rows(k);
			float *numbers = moves ? at->velocity : at->shared.origin;
			for (int j = 0; j < 3; j++) numbers[j] += begins[k].shift[j];
			if (!moves) server.link(at);
		}
		for (int k = 0; k < players; k++) command_player(k);
		run_frame();
		end_turn();
	}
}
