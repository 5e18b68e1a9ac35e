// A QuakeWorld player's move as it is usually written in C. Only the benchmark uses it, to have something native to
// compare with.

#include "moves.h"
#include "vectors.h"
#include "yardstick.h"

#include <stdbool.h>
#include <stdlib.h>

enum { EMPTY = -1, SOLID = -2, WATER = -3, SLIME = -4 };
enum { JUMP = 2, HULL = 1, MAX_OBSTACLES = 32, MAX_BUMPS = 4, STEP_SIZE = 18, LONGEST = 50 };

#define FEET (-24)
#define LEAST_FLOOR 0.7
#define STOP_EPSILON 0.1

/** The player's hull. */
static const float MINS[3] = {-16, -16, FEET}, MAXS[3] = {16, 16, 32};

/** A state, with its words in the order of `packState`. */
struct player {
	uint32_t kind;
	float origin[3], velocity[3], angles[3];
	int32_t old_buttons;
	float water_jump_time;
	int32_t dead, spectator, entity, ground, water_level, water_type;
};

/** A command's words. */
struct command {
	int32_t msec;
	float angles[3], forward, side, up;
	int32_t buttons;
};

/** What is in the way: the world, then models and boxes. */
struct obstacle {
	struct tracer *tracer;
	float origin[3];
};

/** Settings: the server's variables, and how commands are run. */
struct settings {
	float gravity, stop_speed, max_speed, spectator_max_speed, accelerate, water_accelerate, friction, water_friction,
		ent_gravity;
	/** Whether long commands are split; whether the direction is that of the angles before the command. */
	float splits, carry_angles;
	/** How many obstacles follow. */
	float count;
};

/** An obstacle among the settings. */
struct entry {
	/** Below 0 for a box. */
	float model;
	float origin[3], mins[3], maxs[3];
};

struct mover {
	struct settings set;
	struct obstacle obstacles[MAX_OBSTACLES + 1];
	int count;
	/** Reads contents. */
	struct tracer *point;
	/** The current command. */
	struct player *p;
	struct command command;
	float frame_time;
	float forward[3], right[3];
};

/** A trace among all obstacles. */
struct hit {
	struct answer answer;
	int entity;
};

// Traces.

static void trace(const struct mover *m, const float start[3], const float end[3], struct hit *out) {
	memset(out, 0, sizeof *out);
	out->answer.fraction = 1;
	copy(end, out->answer.end);
	out->entity = -1;
	for (int k = 0; k < m->count; k++) {
		const struct obstacle *obstacle = &m->obstacles[k];
		float from[3], to[3];
		add_scaled(start, -1, obstacle->origin, from);
		add_scaled(end, -1, obstacle->origin, to);
		struct answer answer;
		yardstick_trace(obstacle->tracer, from, to, &answer);
		if (answer.all_solid) answer.start_solid = true;
		if (answer.start_solid) answer.fraction = 0;
		if (answer.fraction >= out->answer.fraction) continue;
		for (int axis = 0; axis < 3; axis++) answer.end[axis] += obstacle->origin[axis];
		out->answer = answer;
		out->entity = k;
	}
}

static bool is_free(const struct mover *m, const float point[3]) {
	for (int k = 0; k < m->count; k++) {
		float local[3];
		add_scaled(point, -1, m->obstacles[k].origin, local);
		if (yardstick_contents(m->obstacles[k].tracer, local) == SOLID) return false;
	}
	return true;
}

static bool is_stuck(const struct hit *hit) {
	return hit->answer.start_solid || hit->answer.all_solid;
}

// Slides.

static void clip(const float in[3], const float normal[3], float out[3]) {
	const float back = dot(in, normal);
	for (int k = 0; k < 3; k++) {
		out[k] = in[k] - normal[k] * back;
		if (out[k] > -STOP_EPSILON && out[k] < STOP_EPSILON) out[k] = 0;
	}
}

static void slide_move(struct mover *m) {
	struct player *p = m->p;
	float primal[3], original[3], planes[MAX_BUMPS][3];
	copy(p->velocity, primal);
	copy(p->velocity, original);
	float left = m->frame_time;
	int count = 0;
	for (int bump = 0; bump < MAX_BUMPS; bump++) {
		float end[3];
		add_scaled(p->origin, left, p->velocity, end);
		struct hit hit;
		trace(m, p->origin, end, &hit);
		if (is_stuck(&hit)) {
			clear(p->velocity);
			return;
		}
		const float fraction = hit.answer.fraction;
		if (fraction > 0) {
			copy(hit.answer.end, p->origin);
			count = 0;
		}
		if (fraction == 1) break;
		left -= left * fraction;
		copy(hit.answer.normal, planes[count++]);
		int i = 0;
		for (; i < count; i++) {
			clip(original, planes[i], p->velocity);
			int j = 0;
			while (j < count && (j == i || dot(p->velocity, planes[j]) >= 0)) j++;
			if (j == count) break;
		}
		if (i == count) {
			if (count != 2) {
				clear(p->velocity);
				break;
			}
			float crease[3];
			cross(planes[0], planes[1], crease);
			const float along = dot(crease, p->velocity);
			copy(crease, p->velocity);
			scale(p->velocity, along);
		}
		if (dot(p->velocity, primal) <= 0) {
			clear(p->velocity);
			break;
		}
	}
	if (p->water_jump_time != 0) copy(primal, p->velocity);
}

static void trace_up(const struct mover *m, float by, struct hit *out) {
	float end[3];
	copy(m->p->origin, end);
	end[2] += by;
	trace(m, m->p->origin, end, out);
}

static float way(const float from[3], const float to[3]) {
	const float x = to[0] - from[0], y = to[1] - from[1];
	return x * x + y * y;
}

static void ground_move(struct mover *m) {
	struct player *p = m->p;
	p->velocity[2] = 0;
	if (p->velocity[0] == 0 && p->velocity[1] == 0) return;
	float end[3];
	add_scaled(p->origin, m->frame_time, p->velocity, end);
	end[2] = p->origin[2];
	struct hit hit;
	trace(m, p->origin, end, &hit);
	if (hit.answer.fraction == 1) {
		copy(hit.answer.end, p->origin);
		return;
	}
	float origin[3], velocity[3], low[3], low_velocity[3];
	copy(p->origin, origin);
	copy(p->velocity, velocity);
	slide_move(m);
	copy(p->origin, low);
	copy(p->velocity, low_velocity);
	copy(origin, p->origin);
	copy(velocity, p->velocity);
	trace_up(m, STEP_SIZE, &hit);
	if (!is_stuck(&hit)) copy(hit.answer.end, p->origin);
	slide_move(m);
	trace_up(m, -STEP_SIZE, &hit);
	if (hit.answer.normal[2] >= LEAST_FLOOR) {
		if (!is_stuck(&hit)) copy(hit.answer.end, p->origin);
		if (!(way(origin, low) > way(origin, p->origin))) {
			p->velocity[2] = low_velocity[2];
			return;
		}
	}
	copy(low, p->origin);
	copy(low_velocity, p->velocity);
}

// The parts of a command.

static void nudge(struct mover *m) {
	static const float by[3] = {0, -0.125f, 0.125f};
	const float *o = m->p->origin;
	for (int z = 0; z < 3; z++) {
		for (int x = 0; x < 3; x++) {
			for (int y = 0; y < 3; y++) {
				const float place[3] = {o[0] + by[x], o[1] + by[y], o[2] + by[z]};
				if (!is_free(m, place)) continue;
				copy(place, m->p->origin);
				return;
			}
		}
	}
}

static void categorise(struct mover *m) {
	struct player *p = m->p;
	float point[3] = {p->origin[0], p->origin[1]};
	p->ground = -1;
	if (p->velocity[2] <= 180) {
		struct hit hit;
		trace_up(m, -1, &hit);
		if (hit.answer.normal[2] >= LEAST_FLOOR) {
			p->ground = hit.entity;
			if (hit.entity >= 0) {
				p->water_jump_time = 0;
				if (!is_stuck(&hit)) copy(hit.answer.end, p->origin);
			}
		}
	}
	p->water_level = 0;
	p->water_type = EMPTY;
	point[2] = p->origin[2] + FEET + 1;
	const int found = yardstick_contents(m->point, point);
	if (found > WATER) return;
	p->water_type = found;
	p->water_level = 1;
	point[2] = p->origin[2] + 4;
	if (yardstick_contents(m->point, point) > WATER) return;
	p->water_level = 2;
	point[2] = p->origin[2] + 22;
	if (yardstick_contents(m->point, point) <= WATER) p->water_level = 3;
}

static void check_water_jump(struct mover *m) {
	struct player *p = m->p;
	if (p->water_jump_time != 0 || p->velocity[2] < -180) return;
	float flat[3] = {m->forward[0], m->forward[1], 0}, spot[3];
	normalise(flat);
	add_scaled(p->origin, 24, flat, spot);
	spot[2] += 8;
	if (yardstick_contents(m->point, spot) != SOLID) return;
	spot[2] += 24;
	if (yardstick_contents(m->point, spot) != EMPTY) return;
	copy(flat, p->velocity);
	scale(p->velocity, 50);
	p->velocity[2] = 310;
	p->water_jump_time = 2;
	p->old_buttons |= JUMP;
}

static void press_jump(struct mover *m) {
	struct player *p = m->p;
	if (p->dead) {
		p->old_buttons |= JUMP;
		return;
	}
	if (p->water_jump_time != 0) {
		p->water_jump_time -= m->frame_time;
		if (p->water_jump_time < 0) p->water_jump_time = 0;
		return;
	}
	if (p->water_level >= 2) {
		p->ground = -1;
		p->velocity[2] = p->water_type == WATER ? 100 : p->water_type == SLIME ? 80 : 50;
		return;
	}
	if (p->ground < 0 || p->old_buttons & JUMP) return;
	p->ground = -1;
	p->velocity[2] += 270;
	p->old_buttons |= JUMP;
}

static void apply_friction(struct mover *m) {
	struct player *p = m->p;
	if (p->water_jump_time != 0) return;
	const float speed = length(p->velocity);
	if (speed < 1) {
		p->velocity[0] = p->velocity[1] = 0;
		return;
	}
	float drop = 0;
	float friction = m->set.friction;
	if (p->ground >= 0) {
		float start[3], end[3];
		for (int k = 0; k < 2; k++) start[k] = end[k] = p->origin[k] + p->velocity[k] / speed * 16;
		start[2] = p->origin[2] + FEET;
		end[2] = start[2] - 34;
		struct hit hit;
		trace(m, start, end, &hit);
		if (hit.answer.fraction == 1) friction *= 2;
	}
	if (p->water_level >= 2) drop = speed * m->set.water_friction * p->water_level * m->frame_time;
	else if (p->ground >= 0) {
		const float control = speed < m->set.stop_speed ? m->set.stop_speed : speed;
		drop = control * friction * m->frame_time;
	}
	slow(p->velocity, speed, drop);
}

static void speed_up(struct mover *m, const float wish[3], float wanted, float amount) {
	struct player *p = m->p;
	if (p->dead || p->water_jump_time != 0) return;
	const float missing = wanted - dot(p->velocity, wish);
	if (missing <= 0) return;
	add_scaled(p->velocity, amount > missing ? missing : amount, wish, p->velocity);
}

static void set_wish(const struct mover *m, float wish[3]) {
	for (int k = 0; k < 3; k++) wish[k] = m->forward[k] * m->command.forward + m->right[k] * m->command.side;
}

static float limit(float wish[3], float most) {
	const float speed = normalise(wish);
	return speed > most ? most : speed;
}

static void walk(struct mover *m) {
	struct player *p = m->p;
	m->forward[2] = m->right[2] = 0;
	normalise(m->forward);
	normalise(m->right);
	float wish[3];
	set_wish(m, wish);
	wish[2] = 0;
	const float wanted = limit(wish, m->set.max_speed);
	const bool is_on_ground = p->ground >= 0;
	if (is_on_ground) {
		p->velocity[2] = 0;
		speed_up(m, wish, wanted, m->set.accelerate * m->frame_time * wanted);
	} else {
		speed_up(m, wish, wanted > 30 ? 30 : wanted, m->set.accelerate * wanted * m->frame_time);
	}
	p->velocity[2] -= m->set.ent_gravity * m->set.gravity * m->frame_time;
	if (is_on_ground) ground_move(m);
	else slide_move(m);
}

static void swim(struct mover *m) {
	struct player *p = m->p;
	float wish[3];
	set_wish(m, wish);
	if (m->command.forward == 0 && m->command.side == 0 && m->command.up == 0) wish[2] -= 60;
	else wish[2] += m->command.up;
	const float wanted = limit(wish, m->set.max_speed) * 0.7;
	speed_up(m, wish, wanted, m->set.water_accelerate * m->frame_time * wanted);
	float start[3], end[3];
	add_scaled(p->origin, m->frame_time, p->velocity, end);
	copy(end, start);
	start[2] += STEP_SIZE + 1;
	struct hit hit;
	trace(m, start, end, &hit);
	if (is_stuck(&hit)) slide_move(m);
	else copy(hit.answer.end, p->origin);
}

static void spectator_move(struct mover *m) {
	struct player *p = m->p;
	const float speed = length(p->velocity);
	if (speed < 1) clear(p->velocity);
	else {
		const float control = speed < m->set.stop_speed ? m->set.stop_speed : speed;
		slow(p->velocity, speed, control * (m->set.friction * 1.5f) * m->frame_time);
	}
	normalise(m->forward);
	normalise(m->right);
	float wish[3];
	set_wish(m, wish);
	wish[2] += m->command.up;
	const float wanted = limit(wish, m->set.spectator_max_speed);
	const float missing = wanted - dot(p->velocity, wish);
	if (missing <= 0) return;
	const float amount = m->set.accelerate * m->frame_time * wanted;
	add_scaled(p->velocity, amount > missing ? missing : amount, wish, p->velocity);
	add_scaled(p->origin, m->frame_time, p->velocity, p->origin);
}

static void move_player(struct mover *m) {
	struct player *p = m->p;
	m->frame_time = m->command.msec * 0.001;
	if (!m->set.carry_angles) copy(m->command.angles, p->angles);
	angle_vectors(p->angles, RADIANS, m->forward, m->right, NULL);
	if (p->spectator) {
		spectator_move(m);
		return;
	}
	nudge(m);
	copy(m->command.angles, p->angles);
	categorise(m);
	if (p->water_level == 2) check_water_jump(m);
	if (p->velocity[2] < 0) p->water_jump_time = 0;
	if (m->command.buttons & JUMP) press_jump(m);
	else p->old_buttons &= ~JUMP;
	apply_friction(m);
	if (p->water_level >= 2) swim(m);
	else walk(m);
	categorise(m);
}

static void drop_obstacles(struct mover *m) {
	while (m->count > 1) yardstick_free(m->obstacles[--m->count].tracer);
}

struct mover *moves_create(const void *data) {
	struct mover *m = calloc(1, sizeof *m);
	m->obstacles[0].tracer = yardstick_create(data, &(struct shape){.kind = "hull", .number = HULL});
	m->point = yardstick_create(data, &(struct shape){.kind = "hull", .number = 0});
	m->count = 1;
	const struct settings usual = {800, 100, 320, 500, 10, 10, 4, 4, 1, 1, 0, 0};
	moves_set(m, (const float *)&usual);
	return m;
}

/** Settings: those of the struct, then obstacles. */
void moves_set(struct mover *m, const float *settings) {
	memcpy(&m->set, settings, sizeof m->set);
	drop_obstacles(m);
	const struct entry *entries = (const struct entry *)(settings + sizeof m->set / sizeof *settings);
	for (int k = 0; k < m->set.count && k < MAX_OBSTACLES; k++) {
		const struct entry *entry = &entries[k];
		struct obstacle *obstacle = &m->obstacles[m->count++];
		copy(entry->origin, obstacle->origin);
		if (entry->model < 0) {
			float low[3], high[3];
			for (int axis = 0; axis < 3; axis++) {
				low[axis] = entry->mins[axis] - MAXS[axis];
				high[axis] = entry->maxs[axis] - MINS[axis];
			}
			obstacle->tracer = yardstick_create_box(low, high);
		} else {
			obstacle->tracer = yardstick_create_model(m->obstacles[0].tracer, entry->model);
		}
	}
}

int moves_state_bytes(void) {
	return sizeof(struct player);
}

void moves_run(struct mover *m, void *state, const int32_t *command) {
	m->p = state;
	memcpy(&m->command, command, sizeof m->command);
	int count = 1;
	if (m->set.splits) {
		for (; m->command.msec > LONGEST; count *= 2) m->command.msec >>= 1;
	}
	for (; count > 0; count--) move_player(m);
}

void moves_free(struct mover *m) {
	drop_obstacles(m);
	yardstick_free(m->obstacles[0].tracer);
	yardstick_free(m->point);
	free(m);
}
