// A Quake 2 player's move as it is usually written in C, among models that are traced in the order of a list. Only the
// benchmark uses it, to have something native to compare with.

#include "moves.h"
#include "vectors.h"
#include "yardstick.h"

#include <stdbool.h>
#include <stdlib.h>

enum { SPECTATOR = 1, DEAD, GIB, FREEZE };
enum {
	DUCKED = 1,
	JUMP_HELD = 2,
	ON_GROUND = 4,
	TIME_WATERJUMP = 8,
	TIME_LAND = 16,
	TIME_TELEPORT = 32,
	ALL_TIMES = TIME_WATERJUMP | TIME_LAND | TIME_TELEPORT,
};
enum {
	SOLID = 1,
	SLIME = 0x10,
	WATER = 0x20,
	LIQUID = 0x38,
	CURRENT_0 = 0x40000,
	CURRENT_90 = 0x80000,
	CURRENT_180 = 0x100000,
	CURRENT_270 = 0x200000,
	CURRENT_UP = 0x400000,
	CURRENT_DOWN = 0x800000,
	MONSTER = 0x2000000,
	LADDER = 0x20000000,
};
enum { SLICK = 2 };
enum { MAX_BUMPS = 4, MAX_PLANES = 5, STEP_SIZE = 18 };

#define OVERCLIP 1.01f
#define STOP_EPSILON 0.1
#define LEAST_FLOOR 0.7
#define STOP_SPEED 100.0f
#define MAX_SPEED 300.0f
#define EIGHTH 0.125f

struct box {
	float mins[3], maxs[3];
};

static const struct box STANDING = {{-16, -16, -24}, {16, 16, 32}};
static const struct box CROUCHING = {{-16, -16, -24}, {16, 16, 4}};
static const struct box GIBBED = {{-16, -16, 0}, {16, 16, 16}};

/** A state, with its words in the order of `packState`. */
struct player {
	uint32_t kind;
	int32_t type, flags, timer;
	/** In eighths. */
	int32_t origin[3], velocity[3];
	int32_t delta_angles[3];
	int32_t gravity, mask, entity, snap_initial;
	float angles[3];
	int32_t ground, view_height;
	float mins[3], maxs[3];
	int32_t water_level, water_type;
};

/** A command's words. */
struct command {
	int32_t msec, angles[3], forward, side, up;
};

/** What is in the way: the world, then models. */
struct obstacle {
	struct tracer *tracer;
	/** What the tracer is set to. */
	const struct box *box;
	int mask;
	float origin[3];
	/** Whether it is turned, and how: into its frame, and by the angles negated. */
	bool is_turned;
	float turn[3][3], back[3][3];
	/** The bounds with which it is linked. */
	float low[3], high[3];
};

/** Settings. */
struct settings {
	float air_accelerate;
	/** How many models follow. */
	float count;
};

/** A model among the settings. */
struct entry {
	float model, origin[3], angles[3];
};

struct mover {
	/** Through the world; tracers through models are derived from it. */
	struct tracer *world;
	bool air_accelerates;
	struct obstacle *obstacles;
	int count;
	/** The current command. */
	struct player *p;
	struct command command;
	const struct box *box;
	int mask;
	float frame_time;
	float origin[3], velocity[3];
	int32_t previous[3];
	float forward[3], right[3];
	bool is_on_ladder;
	int ground_surface, ground_contents;
};

/** A trace among all obstacles. */
struct hit {
	struct answer answer;
	int entity;
};

// Obstacles.

static void turn(const float rows[3][3], const float v[3], float out[3]) {
	out[0] = dot(v, rows[0]);
	out[1] = -dot(v, rows[1]);
	out[2] = dot(v, rows[2]);
}

static void to_local(const struct obstacle *obstacle, const float point[3], float out[3]) {
	float moved[3];
	add_scaled(point, -1, obstacle->origin, moved);
	if (obstacle->is_turned) turn(obstacle->turn, moved, out);
	else copy(moved, out);
}

static void trace_obstacle(
	const struct mover *m, struct obstacle *obstacle, const float start[3], const float end[3], struct answer *out) {
	if (obstacle->box != m->box || obstacle->mask != m->mask) {
		obstacle->box = m->box;
		obstacle->mask = m->mask;
		yardstick_set(obstacle->tracer, m->box->mins, m->box->maxs, m->mask);
	}
	yardstick_trace(obstacle->tracer, start, end, out);
}

static bool meets(const struct obstacle *obstacle, const float low[3], const float high[3]) {
	for (int k = 0; k < 3; k++) {
		if (low[k] > obstacle->high[k] || high[k] < obstacle->low[k]) return false;
	}
	return true;
}

/** A model that the move starts in replaces what was hit, however near that is. The world counts as hit by all moves. */
static void trace(const struct mover *m, const float start[3], const float end[3], struct hit *out) {
	struct answer *nearest = &out->answer;
	trace_obstacle(m, m->obstacles, start, end, nearest);
	out->entity = 0;
	if (m->count == 1 || nearest->fraction == 0) return;
	float low[3], high[3];
	for (int k = 0; k < 3; k++) {
		const bool ahead = end[k] > start[k];
		low[k] = (ahead ? start : end)[k] + m->box->mins[k] - 1;
		high[k] = (ahead ? end : start)[k] + m->box->maxs[k] + 1;
	}
	for (int k = 1; k < m->count && !nearest->all_solid; k++) {
		struct obstacle *obstacle = &m->obstacles[k];
		if (!meets(obstacle, low, high)) continue;
		float from[3], to[3];
		to_local(obstacle, start, from);
		to_local(obstacle, end, to);
		struct answer answer;
		trace_obstacle(m, obstacle, from, to, &answer);
		if (!answer.start_solid && answer.fraction >= nearest->fraction) continue;
		if (obstacle->is_turned && answer.fraction != 1) {
			float normal[3];
			copy(answer.normal, normal);
			turn(obstacle->back, normal, answer.normal);
		}
		for (int axis = 0; axis < 3; axis++) {
			answer.end[axis] = start[axis] + answer.fraction * (end[axis] - start[axis]);
		}
		if (nearest->start_solid) answer.start_solid = true;
		*nearest = answer;
		out->entity = k;
	}
}

static bool fits(const struct mover *m, const float place[3]) {
	struct hit test;
	trace(m, place, place, &test);
	return !test.answer.all_solid;
}

static int contents_at(const struct mover *m, const float point[3]) {
	int contents = yardstick_contents(m->obstacles[0].tracer, point);
	for (int k = 1; k < m->count; k++) {
		const struct obstacle *obstacle = &m->obstacles[k];
		if (!meets(obstacle, point, point)) continue;
		float local[3];
		to_local(obstacle, point, local);
		contents |= yardstick_contents(obstacle->tracer, local);
	}
	return contents;
}

// Slides.

static void clip(const float in[3], const float normal[3], float out[3]) {
	const float back = dot(in, normal) * OVERCLIP;
	for (int k = 0; k < 3; k++) {
		out[k] = in[k] - normal[k] * back;
		if (out[k] > -STOP_EPSILON && out[k] < STOP_EPSILON) out[k] = 0;
	}
}

/** Turns the velocity along all planes, or along the crease of two; returns whether it can. */
static bool turn_along(float velocity[3], const float planes[][3], int count) {
	for (int i = 0; i < count; i++) {
		clip(velocity, planes[i], velocity);
		int j = 0;
		while (j < count && (j == i || dot(velocity, planes[j]) >= 0)) j++;
		if (j == count) return true;
	}
	if (count != 2) return false;
	float crease[3];
	cross(planes[0], planes[1], crease);
	const float along = dot(crease, velocity);
	copy(crease, velocity);
	scale(velocity, along);
	return true;
}

static void slide_move(struct mover *m) {
	float primal[3], planes[MAX_PLANES][3];
	copy(m->velocity, primal);
	float left = m->frame_time;
	int count = 0;
	for (int bump = 0; bump < MAX_BUMPS; bump++) {
		float end[3];
		add_scaled(m->origin, left, m->velocity, end);
		struct hit hit;
		trace(m, m->origin, end, &hit);
		if (hit.answer.all_solid) {
			m->velocity[2] = 0;
			return;
		}
		const float fraction = hit.answer.fraction;
		if (fraction > 0) {
			copy(hit.answer.end, m->origin);
			count = 0;
		}
		if (fraction == 1) break;
		left -= left * fraction;
		if (count == MAX_PLANES) {
			clear(m->velocity);
			break;
		}
		copy(hit.answer.normal, planes[count++]);
		if (!turn_along(m->velocity, planes, count) || dot(m->velocity, primal) <= 0) {
			clear(m->velocity);
			break;
		}
	}
	if (m->p->timer) copy(primal, m->velocity);
}

static float way(const float from[3], const float to[3]) {
	const float x = to[0] - from[0], y = to[1] - from[1];
	return x * x + y * y;
}

static void step_slide_move(struct mover *m) {
	float origin[3], velocity[3], low[3], low_velocity[3], end[3];
	copy(m->origin, origin);
	copy(m->velocity, velocity);
	slide_move(m);
	copy(m->origin, low);
	copy(m->velocity, low_velocity);
	copy(origin, end);
	end[2] += STEP_SIZE;
	if (!fits(m, end)) return;
	copy(end, m->origin);
	copy(velocity, m->velocity);
	slide_move(m);
	copy(m->origin, end);
	end[2] -= STEP_SIZE;
	struct hit hit;
	trace(m, m->origin, end, &hit);
	if (!hit.answer.all_solid) copy(hit.answer.end, m->origin);
	if (way(origin, low) > way(origin, m->origin) || hit.answer.normal[2] < LEAST_FLOOR) {
		copy(low, m->origin);
		copy(low_velocity, m->velocity);
	} else m->velocity[2] = low_velocity[2];
}

// The box, the ground and water.

static void set_box(struct mover *m, const struct box *box, int view_height) {
	m->box = box;
	copy(box->mins, m->p->mins);
	copy(box->maxs, m->p->maxs);
	m->p->view_height = view_height;
}

static void check_duck(struct mover *m) {
	struct player *p = m->p;
	if (p->type == GIB) {
		set_box(m, &GIBBED, 8);
		return;
	}
	if (p->type == DEAD || (m->command.up < 0 && p->flags & ON_GROUND)) p->flags |= DUCKED;
	else if (p->flags & DUCKED) {
		m->box = &STANDING;
		if (fits(m, m->origin)) p->flags &= ~DUCKED;
	}
	if (p->flags & DUCKED) set_box(m, &CROUCHING, -2);
	else set_box(m, &STANDING, 22);
}

static void clear_timer(struct player *p) {
	p->flags &= ~ALL_TIMES;
	p->timer = 0;
}

static void land(struct mover *m) {
	struct player *p = m->p;
	p->flags |= ON_GROUND;
	if (m->velocity[2] >= -200) return;
	p->flags |= TIME_LAND;
	p->timer = m->velocity[2] < -400 ? 25 : 18;
}

static void find_ground(struct mover *m) {
	struct player *p = m->p;
	if (m->velocity[2] > 180) {
		p->flags &= ~ON_GROUND;
		p->ground = -1;
		return;
	}
	const float end[3] = {m->origin[0], m->origin[1], m->origin[2] - 0.25f};
	struct hit hit;
	trace(m, m->origin, end, &hit);
	m->ground_surface = hit.answer.surface_flags;
	m->ground_contents = hit.answer.contents;
	if (hit.answer.normal[2] < LEAST_FLOOR && !hit.answer.start_solid) {
		p->flags &= ~ON_GROUND;
		p->ground = -1;
		return;
	}
	p->ground = hit.entity;
	if (p->flags & TIME_WATERJUMP) clear_timer(p);
	if (!(p->flags & ON_GROUND)) land(m);
}

static void find_water(struct mover *m) {
	struct player *p = m->p;
	p->water_level = p->water_type = 0;
	const float feet = m->origin[2] + p->mins[2], eyes = p->view_height - p->mins[2];
	float point[3] = {m->origin[0], m->origin[1], feet + 1};
	const int found = contents_at(m, point);
	if (!(found & LIQUID)) return;
	p->water_type = found;
	p->water_level = 1;
	point[2] = feet + eyes / 2;
	if (!(contents_at(m, point) & LIQUID)) return;
	p->water_level = 2;
	point[2] = feet + eyes;
	if (contents_at(m, point) & LIQUID) p->water_level = 3;
}

static void categorise(struct mover *m) {
	find_ground(m);
	find_water(m);
}

static void check_special_move(struct mover *m) {
	struct player *p = m->p;
	if (p->timer) return;
	float flat[3] = {m->forward[0], m->forward[1], 0}, spot[3];
	normalise(flat);
	add_scaled(m->origin, 1, flat, spot);
	struct hit hit;
	trace(m, m->origin, spot, &hit);
	m->is_on_ladder = hit.answer.fraction < 1 && hit.answer.contents & LADDER;
	if (p->water_level != 2) return;
	add_scaled(m->origin, 30, flat, spot);
	spot[2] += 4;
	if (!(contents_at(m, spot) & SOLID)) return;
	spot[2] += 16;
	if (contents_at(m, spot)) return;
	copy(flat, m->velocity);
	scale(m->velocity, 50);
	m->velocity[2] = 350;
	p->flags |= TIME_WATERJUMP;
	p->timer = 255;
}

// Moves.

static void fall(struct mover *m) {
	m->velocity[2] -= m->p->gravity * m->frame_time;
}

static void check_jump(struct mover *m) {
	struct player *p = m->p;
	if (p->flags & TIME_LAND) return;
	if (m->command.up < 10) {
		p->flags &= ~JUMP_HELD;
		return;
	}
	if (p->flags & JUMP_HELD || p->type == DEAD) return;
	if (p->water_level >= 2) {
		p->ground = -1;
		if (m->velocity[2] > -300) m->velocity[2] = p->water_type == WATER ? 100 : p->water_type == SLIME ? 80 : 50;
		return;
	}
	if (p->ground < 0) return;
	p->flags |= JUMP_HELD;
	p->ground = -1;
	m->velocity[2] += 270;
	if (m->velocity[2] < 270) m->velocity[2] = 270;
}

static void apply_friction(struct mover *m) {
	const struct player *p = m->p;
	const float speed = length(m->velocity);
	if (speed < 1) {
		m->velocity[0] = m->velocity[1] = 0;
		return;
	}
	float drop = 0;
	if (m->is_on_ladder || (p->ground >= 0 && !(m->ground_surface & SLICK))) {
		drop += (speed < STOP_SPEED ? STOP_SPEED : speed) * 6 * m->frame_time;
	}
	if (p->water_level && !m->is_on_ladder) drop += speed * p->water_level * m->frame_time;
	slow(m->velocity, speed, drop);
}

/** Speeds up by what is missing from the wanted speed, up to a limit. Returns whether anything is missing. */
static bool speed_up(struct mover *m, const float wish[3], float wanted, float amount) {
	const float missing = wanted - dot(m->velocity, wish);
	if (missing <= 0) return false;
	add_scaled(m->velocity, amount > missing ? missing : amount, wish, m->velocity);
	return true;
}

static bool accelerate(struct mover *m, const float wish[3], float wanted, float by) {
	return speed_up(m, wish, wanted, by * m->frame_time * wanted);
}

static void set_wish(const struct mover *m, float wish[3]) {
	for (int k = 0; k < 3; k++) wish[k] = m->forward[k] * m->command.forward + m->right[k] * m->command.side;
}

/** Turns where the player wants to go into a direction, and returns the speed, up to a limit. */
static float limit(float wish[3], float most) {
	const float speed = normalise(wish);
	return speed > most ? most : speed;
}

static void add_current(float wish[3], int contents, float speed) {
	wish[0] += speed * (!!(contents & CURRENT_0) - !!(contents & CURRENT_180));
	wish[1] += speed * (!!(contents & CURRENT_90) - !!(contents & CURRENT_270));
	wish[2] += speed * (!!(contents & CURRENT_UP) - !!(contents & CURRENT_DOWN));
}

static void climb(const struct mover *m, float wish[3]) {
	const float pitch = m->p->angles[0];
	const bool goes = m->command.forward > 0;
	if (pitch <= -15 && goes) wish[2] = 200;
	else if (pitch >= 15 && goes) wish[2] = -200;
	else if (m->command.up > 0) wish[2] = 200;
	else if (m->command.up < 0) wish[2] = -200;
	else wish[2] = 0;
	for (int k = 0; k < 2; k++) {
		if (wish[k] < -25) wish[k] = -25;
		if (wish[k] > 25) wish[k] = 25;
	}
}

static void add_currents(const struct mover *m, float wish[3]) {
	const struct player *p = m->p;
	const int currents = CURRENT_0 | CURRENT_90 | CURRENT_180 | CURRENT_270 | CURRENT_UP | CURRENT_DOWN;
	if (m->is_on_ladder && fabsf(m->velocity[2]) <= 200) climb(m, wish);
	if (p->water_type & currents) add_current(wish, p->water_type, p->water_level == 1 && p->ground >= 0 ? 200 : 400);
	if (p->ground >= 0) add_current(wish, m->ground_contents, 100);
}

static void water_move(struct mover *m) {
	const struct command *c = &m->command;
	float wish[3];
	set_wish(m, wish);
	if (!c->forward && !c->side && !c->up) wish[2] -= 60;
	else wish[2] += c->up;
	add_currents(m, wish);
	const float wanted = limit(wish, MAX_SPEED) * 0.5f;
	accelerate(m, wish, wanted, 10);
	step_slide_move(m);
}

static void hold_ladder(struct mover *m) {
	const float change = m->p->gravity * m->frame_time;
	float *rise = &m->velocity[2];
	if (*rise > 0) {
		*rise -= change;
		if (*rise < 0) *rise = 0;
	} else {
		*rise += change;
		if (*rise > 0) *rise = 0;
	}
}

static void air_move(struct mover *m) {
	const struct player *p = m->p;
	float wish[3];
	set_wish(m, wish);
	wish[2] = 0;
	add_currents(m, wish);
	const float wanted = limit(wish, p->flags & DUCKED ? 100 : MAX_SPEED);
	if (m->is_on_ladder) {
		accelerate(m, wish, wanted, 10);
		if (wish[2] == 0) hold_ladder(m);
	} else if (p->ground >= 0) {
		m->velocity[2] = 0;
		accelerate(m, wish, wanted, 10);
		if (p->gravity > 0) m->velocity[2] = 0;
		else fall(m);
		if (m->velocity[0] == 0 && m->velocity[1] == 0) return;
	} else {
		if (m->air_accelerates) speed_up(m, wish, wanted > 30 ? 30 : wanted, 10 * wanted * m->frame_time);
		else accelerate(m, wish, wanted, 1);
		fall(m);
	}
	step_slide_move(m);
}

static void dead_move(struct mover *m) {
	if (m->p->ground < 0) return;
	const float speed = length(m->velocity) - 20;
	if (speed <= 0) clear(m->velocity);
	else {
		normalise(m->velocity);
		scale(m->velocity, speed);
	}
}

static void fly_move(struct mover *m) {
	m->p->view_height = 22;
	const float speed = length(m->velocity);
	if (speed < 1) clear(m->velocity);
	else slow(m->velocity, speed, (speed < STOP_SPEED ? STOP_SPEED : speed) * 9 * m->frame_time);
	normalise(m->forward);
	normalise(m->right);
	float wish[3];
	set_wish(m, wish);
	wish[2] += m->command.up;
	const float wanted = limit(wish, MAX_SPEED);
	if (accelerate(m, wish, wanted, 10)) add_scaled(m->origin, m->frame_time, m->velocity, m->origin);
}

// The grid of eighths.

static bool is_good(const struct mover *m) {
	const int32_t *o = m->p->origin;
	const float place[3] = {o[0] * EIGHTH, o[1] * EIGHTH, o[2] * EIGHTH};
	return m->p->type == SPECTATOR || fits(m, place);
}

static void snap(struct mover *m) {
	static const int jitters[8] = {0, 4, 1, 2, 3, 5, 6, 7};
	struct player *p = m->p;
	int base[3], sign[3];
	for (int k = 0; k < 3; k++) {
		p->velocity[k] = (int16_t)(int)(m->velocity[k] * 8);
		base[k] = (int16_t)(int)(m->origin[k] * 8);
		sign[k] = base[k] * EIGHTH == m->origin[k] ? 0 : m->origin[k] >= 0 ? 1 : -1;
	}
	for (int n = 0; n < 8; n++) {
		for (int k = 0; k < 3; k++) p->origin[k] = (int16_t)(base[k] + (jitters[n] >> k & 1 ? sign[k] : 0));
		if (is_good(m)) return;
	}
	memcpy(p->origin, m->previous, sizeof p->origin);
}

static void snap_initial(struct mover *m) {
	static const int offsets[3] = {0, -1, 1};
	struct player *p = m->p;
	for (int n = 0; n < 27; n++) {
		p->origin[0] = (int16_t)(m->previous[0] + offsets[n % 3]);
		p->origin[1] = (int16_t)(m->previous[1] + offsets[n / 3 % 3]);
		p->origin[2] = (int16_t)(m->previous[2] + offsets[n / 9]);
		if (!is_good(m)) continue;
		for (int k = 0; k < 3; k++) m->origin[k] = p->origin[k] * EIGHTH;
		memcpy(m->previous, p->origin, sizeof m->previous);
		return;
	}
}

// A command.

static void set_angles(struct mover *m) {
	const float degrees = 360.0f / 65536;
	struct player *p = m->p;
	if (p->flags & TIME_TELEPORT) {
		clear(p->angles);
		p->angles[1] = (m->command.angles[1] + p->delta_angles[1]) * degrees;
		return;
	}
	for (int k = 0; k < 3; k++) p->angles[k] = (int16_t)(m->command.angles[k] + p->delta_angles[k]) * degrees;
	if (p->angles[0] > 89 && p->angles[0] < 180) p->angles[0] = 89;
}

static void drop_timer(struct mover *m) {
	struct player *p = m->p;
	if (!p->timer) return;
	int passed = m->command.msec >> 3;
	if (!passed) passed = 1;
	if (passed >= p->timer) clear_timer(p);
	else p->timer -= passed;
}

static void move_player(struct mover *m) {
	struct player *p = m->p;
	if (p->flags & TIME_TELEPORT) return;
	if (p->flags & TIME_WATERJUMP) {
		fall(m);
		if (m->velocity[2] < 0) clear_timer(p);
		step_slide_move(m);
		return;
	}
	check_jump(m);
	apply_friction(m);
	if (p->water_level >= 2) {
		water_move(m);
		return;
	}
	const float pitch = p->angles[0];
	const float level[3] = {(pitch > 180 ? pitch - 360 : pitch) / 3, p->angles[1], p->angles[2]};
	angle_vectors(level, RADIANS, m->forward, m->right, NULL);
	air_move(m);
}

static void run_command(struct mover *m) {
	struct player *p = m->p;
	m->frame_time = m->command.msec * 0.001f;
	set_angles(m);
	angle_vectors(p->angles, RADIANS, m->forward, m->right, NULL);
	if (p->type == SPECTATOR) {
		fly_move(m);
		snap(m);
		return;
	}
	if (p->type >= DEAD) m->command.forward = m->command.side = m->command.up = 0;
	if (p->type == FREEZE) return;
	check_duck(m);
	if (p->snap_initial) snap_initial(m);
	categorise(m);
	if (p->type == DEAD) dead_move(m);
	check_special_move(m);
	drop_timer(m);
	move_player(m);
	categorise(m);
	snap(m);
}

// The mover.

/** Puts a model in its place, with a box around it as the server makes it: a cube if it is turned. */
static void place(struct obstacle *obstacle, const struct entry *entry) {
	const float negated[3] = {-entry->angles[0], -entry->angles[1], -entry->angles[2]};
	copy(entry->origin, obstacle->origin);
	obstacle->is_turned = entry->angles[0] != 0 || entry->angles[1] != 0 || entry->angles[2] != 0;
	float (*t)[3] = obstacle->turn, (*b)[3] = obstacle->back;
	angle_vectors(entry->angles, RADIANS, t[0], t[1], t[2]);
	angle_vectors(negated, RADIANS, b[0], b[1], b[2]);
	float mins[3], maxs[3], far = 0;
	yardstick_bounds(obstacle->tracer, mins, maxs);
	for (int k = 0; k < 3; k++) far = fmaxf(far, fmaxf(fabsf(mins[k]), fabsf(maxs[k])));
	for (int k = 0; k < 3; k++) {
		obstacle->low[k] = entry->origin[k] + (obstacle->is_turned ? -far : mins[k]) - 1;
		obstacle->high[k] = entry->origin[k] + (obstacle->is_turned ? far : maxs[k]) + 1;
	}
}

static void add_obstacle(struct mover *m, const struct entry *entry) {
	struct obstacle *obstacle = &m->obstacles[m->count++];
	memset(obstacle, 0, sizeof *obstacle);
	obstacle->tracer = yardstick_create_model(m->world, entry->model);
	place(obstacle, entry);
}

static void drop_obstacles(struct mover *m) {
	while (m->count > 0) yardstick_free(m->obstacles[--m->count].tracer);
	free(m->obstacles);
}

struct mover *moves_create(const void *data) {
	struct mover *m = calloc(1, sizeof *m);
	m->world = yardstick_create(data, &(struct shape){.kind = "box"});
	moves_set(m, (const float *)&(struct settings){0, 0});
	return m;
}

/** Settings: those of the struct, then models. */
void moves_set(struct mover *m, const float *settings) {
	const struct settings *set = (const struct settings *)settings;
	const struct entry *entries = (const struct entry *)(set + 1);
	drop_obstacles(m);
	m->air_accelerates = set->air_accelerate;
	m->obstacles = calloc(1 + (int)set->count, sizeof *m->obstacles);
	add_obstacle(m, &(struct entry){0});
	for (int k = 0; k < set->count; k++) add_obstacle(m, &entries[k]);
}

int moves_state_bytes(void) {
	return sizeof(struct player);
}

void moves_run(struct mover *m, void *state, const int32_t *command) {
	struct player *p = m->p = state;
	memcpy(&m->command, command, sizeof m->command);
	const bool is_dead = p->type == DEAD || p->type == GIB;
	m->mask = is_dead ? p->mask & ~MONSTER : p->mask;
	for (int k = 0; k < 3; k++) {
		m->origin[k] = p->origin[k] * EIGHTH;
		m->velocity[k] = p->velocity[k] * EIGHTH;
		m->previous[k] = p->origin[k];
	}
	clear(p->mins);
	clear(p->maxs);
	p->ground = -1;
	p->view_height = p->water_level = p->water_type = 0;
	m->is_on_ladder = false;
	m->ground_surface = m->ground_contents = 0;
	run_command(m);
	p->snap_initial = 0;
}

void moves_free(struct mover *m) {
	drop_obstacles(m);
	yardstick_free(m->world);
	free(m);
}
