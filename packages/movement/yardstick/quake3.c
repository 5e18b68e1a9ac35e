// A Quake 3 player's move as it is usually written in C: one part after the other, with nothing kept between slices.
// Only the benchmark uses it, to have something native to compare with.

#include "moves.h"
#include "vectors.h"
#include "yardstick.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NORMAL, NOCLIP, SPECTATOR, DEAD, FREEZE, INTERMISSION, SOLO_INTERMISSION };
enum {
	DUCKED = 1,
	JUMP_HELD = 2,
	BACKWARDS_JUMP = 8,
	BACKWARDS_RUN = 16,
	TIME_LAND = 32,
	TIME_KNOCKBACK = 64,
	TIME_WATERJUMP = 256,
	RESPAWNED = 512,
	USE_ITEM_HELD = 1024,
	GRAPPLE_PULL = 2048,
	INVULNERABILITY_EXPAND = 16384,
	ALL_TIMES = TIME_LAND | TIME_KNOCKBACK | TIME_WATERJUMP,
};
enum { ATTACK = 1, TALK = 2, USE_ITEM = 4, WALKING = 16 };
enum { SOLID = 1, PLAYERCLIP = 0x10000, BODY = 0x2000000, WATER = 0x38 };
enum { NODAMAGE = 1, SLICK = 2, METALSTEPS = 0x1000, NOSTEPS = 0x2000 };
enum {
	EVENT_NONE = 0,
	EVENT_FOOTSTEP = 1,
	EVENT_METAL = 2,
	EVENT_SPLASH = 3,
	EVENT_SWIM = 5,
	EVENT_STEP = 6,
	EVENT_FALL_SHORT = 10,
	EVENT_FALL_MEDIUM = 11,
	EVENT_FALL_FAR = 12,
	EVENT_JUMP = 14,
	EVENT_TOUCH = 15,
	EVENT_LEAVE = 16,
	EVENT_UNDER = 17,
	EVENT_CLEAR = 18,
};

#define FEET (-24)
#define HALF_WIDTH 15
#define MAX_PLANES 5
#define MAX_BUMPS 4
#define OVERCLIP 1.001f
#define LEAST_FLOOR 0.7f
#define STEP_SIZE 18
#define STOP_SPEED 100.0f
#define MOST_TIME 1000

/** A state, with its words in the order of `packState`. */
struct player {
	uint32_t kind;
	int32_t command_time, type, flags, timer;
	float origin[3], velocity[3], angles[3];
	int32_t delta_angles[3];
	int32_t gravity, speed, health, flight;
	float grapple[3];
	int32_t mask, entity, ground, view_height, bob, direction, frame, sequence;
	int32_t events[2];
	float mins[3], maxs[3];
	int32_t water_level, water_type;
};

/** A command's words. */
struct command {
	int32_t time, angles[3], forward, right, up, buttons;
	/** What pushed the player before, and for how long. */
	float push[3];
	int32_t push_time;
};

struct mover {
	struct tracer *tracer;
	/** Settings: bytecode, which has no doubles; longest slice in milliseconds; whether steps are audible. */
	bool is_qvm, has_steps;
	int slice;
	double radians, seconds, same_plane, leaving, step_floor, harm;
	/** The box and mask that the tracer is set to. */
	float top;
	int tracer_mask;
	/** The current command. */
	struct player *p;
	struct command command;
	int mask;
	int ms;
	float frame_time;
	float old_origin[3], old_velocity[3];
	float forward[3], right[3];
	struct answer ground;
	bool is_walking, has_plane;
	int old_level;
	float impact;
};

/** The same as `normalise` except for rounding: this game tests the square of the length. */
static float normalise_by_square(float v[3]) {
	const float square = dot(v, v);
	if (square == 0) return 0;
	const float inverse = 1 / sqrtf(square);
	scale(v, inverse);
	return square * inverse;
}

static void clip(const float in[3], const float normal[3], float out[3]) {
	float back = dot(in, normal);
	if (back < 0) back *= OVERCLIP;
	else back /= OVERCLIP;
	for (int k = 0; k < 3; k++) out[k] = in[k] - normal[k] * back;
}

static void trace(struct mover *m, const float start[3], const float end[3], struct answer *out) {
	if (m->top != m->p->maxs[2] || m->tracer_mask != m->mask) {
		m->top = m->p->maxs[2];
		m->tracer_mask = m->mask;
		yardstick_set(m->tracer, m->p->mins, m->p->maxs, m->mask);
	}
	yardstick_trace(m->tracer, start, end, out);
}

static void add_event(struct player *p, int event) {
	p->events[p->sequence & 1] = event;
	p->sequence++;
}

static int footstep(const struct mover *m) {
	if (m->ground.surface_flags & NOSTEPS) return EVENT_NONE;
	return m->ground.surface_flags & METALSTEPS ? EVENT_METAL : EVENT_FOOTSTEP;
}

// Slides.

static bool slide_move(struct mover *m, bool gravity) {
	struct player *p = m->p;
	float primal[3], final[3], planes[MAX_PLANES][3];
	copy(p->velocity, primal);
	if (gravity) {
		copy(p->velocity, final);
		final[2] -= p->gravity * m->frame_time;
		p->velocity[2] = (p->velocity[2] + final[2]) * 0.5f;
		primal[2] = final[2];
		if (m->has_plane) clip(p->velocity, m->ground.normal, p->velocity);
	}
	int count = 0;
	if (m->has_plane) copy(m->ground.normal, planes[count++]);
	copy(p->velocity, planes[count]);
	if (normalise_by_square(planes[count]) == 0) clear(planes[count]);
	count++;
	float left = m->frame_time;
	int bump = 0;
	for (; bump < MAX_BUMPS; bump++) {
		float end[3];
		add_scaled(p->origin, left, p->velocity, end);
		struct answer hit;
		trace(m, p->origin, end, &hit);
		if (hit.all_solid) {
			p->velocity[2] = 0;
			return true;
		}
		if (hit.fraction > 0) copy(hit.end, p->origin);
		if (hit.fraction == 1) break;
		left -= left * hit.fraction;
		if (count >= MAX_PLANES) {
			clear(p->velocity);
			return true;
		}
		int known = 0;
		while (known < count && !(dot(hit.normal, planes[known]) > m->same_plane)) known++;
		if (known < count) {
			for (int k = 0; k < 3; k++) p->velocity[k] = hit.normal[k] + p->velocity[k];
			continue;
		}
		copy(hit.normal, planes[count++]);
		for (int i = 0; i < count; i++) {
			const float into = dot(p->velocity, planes[i]);
			if (into >= m->leaving) continue;
			if (-into > m->impact) m->impact = -into;
			float clipped[3], final_clipped[3];
			clip(p->velocity, planes[i], clipped);
			if (gravity) clip(final, planes[i], final_clipped);
			for (int j = 0; j < count; j++) {
				if (j == i || dot(clipped, planes[j]) >= m->leaving) continue;
				clip(clipped, planes[j], clipped);
				if (gravity) clip(final_clipped, planes[j], final_clipped);
				if (dot(clipped, planes[i]) >= 0) continue;
				float crease[3];
				cross(planes[i], planes[j], crease);
				normalise_by_square(crease);
				copy(crease, clipped);
				scale(clipped, dot(crease, p->velocity));
				if (gravity) {
					copy(crease, final_clipped);
					scale(final_clipped, dot(crease, final));
				}
				for (int k = 0; k < count; k++) {
					if (k == i || k == j || dot(clipped, planes[k]) >= m->leaving) continue;
					clear(p->velocity);
					return true;
				}
			}
			copy(clipped, p->velocity);
			if (gravity) copy(final_clipped, final);
			break;
		}
	}
	if (gravity) copy(final, p->velocity);
	if (p->timer) copy(primal, p->velocity);
	return bump != 0;
}

static void step_slide_move(struct mover *m, bool gravity) {
	struct player *p = m->p;
	float origin[3], velocity[3], end[3];
	copy(p->origin, origin);
	copy(p->velocity, velocity);
	if (!slide_move(m, gravity)) return;
	struct answer hit;
	copy(origin, end);
	end[2] -= STEP_SIZE;
	trace(m, origin, end, &hit);
	if (p->velocity[2] > 0 && (hit.fraction == 1 || hit.normal[2] < m->step_floor)) return;
	end[2] = origin[2] + STEP_SIZE;
	trace(m, origin, end, &hit);
	if (hit.all_solid) return;
	const float size = hit.end[2] - origin[2];
	copy(hit.end, p->origin);
	copy(velocity, p->velocity);
	slide_move(m, gravity);
	copy(p->origin, end);
	end[2] -= size;
	trace(m, p->origin, end, &hit);
	if (!hit.all_solid) copy(hit.end, p->origin);
	if (hit.fraction < 1) clip(p->velocity, hit.normal, p->velocity);
	const float rise = p->origin[2] - origin[2];
	if (rise > 2) add_event(p, EVENT_STEP + (rise >= 7) + (rise >= 11) + (rise >= 15));
}

// The box, and water.

static void set_box(struct player *p, float top) {
	p->mins[0] = p->mins[1] = -HALF_WIDTH;
	p->mins[2] = FEET;
	p->maxs[0] = p->maxs[1] = HALF_WIDTH;
	p->maxs[2] = top;
}

static bool fits(struct mover *m, const float place[3]) {
	struct answer test;
	trace(m, place, place, &test);
	return !test.all_solid;
}

static void check_duck(struct mover *m) {
	struct player *p = m->p;
	p->flags &= ~INVULNERABILITY_EXPAND;
	if (p->type == DEAD) {
		set_box(p, -8);
		p->view_height = -16;
		return;
	}
	if (m->command.up < 0) p->flags |= DUCKED;
	else if (p->flags & DUCKED) {
		set_box(p, 32);
		if (fits(m, p->origin)) p->flags &= ~DUCKED;
	}
	set_box(p, p->flags & DUCKED ? 16 : 32);
	p->view_height = p->flags & DUCKED ? 12 : 26;
}

static void set_water_level(struct mover *m) {
	struct player *p = m->p;
	p->water_level = p->water_type = 0;
	const float feet = p->origin[2] + FEET;
	float point[3] = {p->origin[0], p->origin[1], feet + 1};
	const int found = yardstick_contents(m->tracer, point);
	if (!(found & WATER)) return;
	const int eyes = p->view_height - FEET;
	p->water_type = found;
	p->water_level = 1;
	point[2] = feet + (eyes >> 1);
	if (!(yardstick_contents(m->tracer, point) & WATER)) return;
	p->water_level = 2;
	point[2] = feet + eyes;
	if (yardstick_contents(m->tracer, point) & WATER) p->water_level = 3;
}

// The ground.

static void note_jump(struct mover *m) {
	if (m->command.forward >= 0) m->p->flags &= ~BACKWARDS_JUMP;
	else m->p->flags |= BACKWARDS_JUMP;
}

static void leave_ground(struct mover *m, bool has_plane) {
	m->p->ground = -1;
	m->has_plane = has_plane;
	m->is_walking = false;
}

static void land(struct mover *m) {
	struct player *p = m->p;
	const float distance = p->origin[2] - m->old_origin[2];
	const float speed = m->old_velocity[2];
	const float acceleration = -p->gravity;
	const float a = acceleration / 2;
	const float root = speed * speed - 4 * a * -distance;
	if (root < 0) return;
	float time;
	if (m->is_qvm) time = (-speed - sqrtf(root)) / (2 * a);
	else time = (-speed - sqrt(root)) / (2 * a);
	float harm = speed + time * acceleration;
	harm = harm * harm * m->harm;
	if (p->flags & DUCKED) harm *= 2;
	if (p->water_level == 3) return;
	if (p->water_level == 2) harm *= 0.25f;
	if (p->water_level == 1) harm *= 0.5f;
	// Without gravity this is NaN, which bytecode takes for less.
	if (harm < 1 || (m->is_qvm && !(harm >= 1))) return;
	if (!(m->ground.surface_flags & NODAMAGE)) {
		if (harm > 60) add_event(p, EVENT_FALL_FAR);
		else if (harm > 40) {
			if (p->health > 0) add_event(p, EVENT_FALL_MEDIUM);
		} else add_event(p, harm > 7 ? EVENT_FALL_SHORT : footstep(m));
	}
	p->bob = 0;
}

static bool has_free_place(struct mover *m) {
	for (int i = -1; i <= 1; i++) {
		for (int j = -1; j <= 1; j++) {
			for (int k = -1; k <= 1; k++) {
				const float *o = m->p->origin;
				const float place[3] = {o[0] + i, o[1] + j, o[2] + k};
				if (fits(m, place)) return true;
			}
		}
	}
	return false;
}

static void trace_ground(struct mover *m) {
	struct player *p = m->p;
	float end[3] = {p->origin[0], p->origin[1], p->origin[2] - 0.25f};
	trace(m, p->origin, end, &m->ground);
	if (m->ground.all_solid) {
		if (!has_free_place(m)) {
			leave_ground(m, false);
			return;
		}
		trace(m, p->origin, end, &m->ground);
	}
	if (m->ground.fraction == 1) {
		if (p->ground >= 0) {
			struct answer below;
			end[2] = p->origin[2] - 64;
			trace(m, p->origin, end, &below);
			if (below.fraction == 1) note_jump(m);
		}
		leave_ground(m, false);
		return;
	}
	if (p->velocity[2] > 0 && dot(p->velocity, m->ground.normal) > 10) {
		note_jump(m);
		leave_ground(m, false);
		return;
	}
	if (m->ground.normal[2] < LEAST_FLOOR) {
		leave_ground(m, true);
		return;
	}
	m->has_plane = m->is_walking = true;
	if (p->flags & TIME_WATERJUMP) {
		p->flags &= ~(TIME_WATERJUMP | TIME_LAND);
		p->timer = 0;
	}
	if (p->ground < 0) {
		land(m);
		if (m->old_velocity[2] < -200) {
			p->flags |= TIME_LAND;
			p->timer = 250;
		}
	}
	p->ground = 0;
}

// Moves.

static void set_direction(struct mover *m) {
	// Indexed by forward, then right: backwards, none, forwards.
	static const int directions[3][3] = {{3, 4, 5}, {2, -1, 6}, {1, 0, 7}};
	const struct command *c = &m->command;
	const int direction = directions[1 + (c->forward > 0) - (c->forward < 0)][1 + (c->right > 0) - (c->right < 0)];
	if (direction >= 0) m->p->direction = direction;
	else if (m->p->direction == 2) m->p->direction = 1;
	else if (m->p->direction == 6) m->p->direction = 7;
}

static bool is_sliding(const struct mover *m) {
	return m->ground.surface_flags & SLICK || m->p->flags & TIME_KNOCKBACK;
}

static void apply_friction(struct mover *m) {
	struct player *p = m->p;
	const float flat[3] = {p->velocity[0], p->velocity[1], m->is_walking ? 0 : p->velocity[2]};
	const float speed = length(flat);
	if (speed < 1) {
		p->velocity[0] = p->velocity[1] = 0;
		return;
	}
	float drop = 0;
	if (p->water_level <= 1 && m->is_walking && !is_sliding(m)) {
		drop += (speed < STOP_SPEED ? STOP_SPEED : speed) * 6 * m->frame_time;
	}
	if (p->water_level) drop += speed * p->water_level * m->frame_time;
	if (p->flight) drop += speed * 3 * m->frame_time;
	if (p->type == SPECTATOR) drop += speed * 5 * m->frame_time;
	slow(p->velocity, speed, drop);
}

static void accelerate(struct mover *m, const float wish[3], float wanted, float by) {
	struct player *p = m->p;
	const float missing = wanted - dot(p->velocity, wish);
	if (missing <= 0) return;
	float amount = by * m->frame_time * wanted;
	if (amount > missing) amount = missing;
	add_scaled(p->velocity, amount, wish, p->velocity);
}

static float command_scale(const struct mover *m) {
	const struct command *c = &m->command;
	int most = abs(c->forward);
	if (abs(c->right) > most) most = abs(c->right);
	if (abs(c->up) > most) most = abs(c->up);
	if (!most) return 0;
	const float total = sqrtf((float)(c->forward * c->forward + c->right * c->right + c->up * c->up));
	const float speed = (float)m->p->speed * most;
	return m->is_qvm ? speed / (127 * total) : speed / (127.0 * total);
}

static void flatten(struct mover *m) {
	m->forward[2] = m->right[2] = 0;
}

static void set_wish(const struct mover *m, float wish[3]) {
	for (int k = 0; k < 3; k++) wish[k] = m->forward[k] * m->command.forward + m->right[k] * m->command.right;
}

static void set_free_wish(const struct mover *m, float by, float rest, float wish[3]) {
	if (by == 0) {
		wish[0] = wish[1] = 0;
		wish[2] = rest;
		return;
	}
	for (int k = 0; k < 3; k++) {
		wish[k] = by * m->forward[k] * m->command.forward + by * m->right[k] * m->command.right;
	}
	wish[2] += by * m->command.up;
}

static bool check_jump(struct mover *m) {
	struct player *p = m->p;
	if (p->flags & RESPAWNED || m->command.up < 10) return false;
	if (p->flags & JUMP_HELD) {
		m->command.up = 0;
		return false;
	}
	leave_ground(m, false);
	p->flags |= JUMP_HELD;
	p->velocity[2] = 270;
	add_event(p, EVENT_JUMP);
	note_jump(m);
	return true;
}

static void air_move(struct mover *m) {
	apply_friction(m);
	const float by = command_scale(m);
	set_direction(m);
	flatten(m);
	normalise_by_square(m->forward);
	normalise_by_square(m->right);
	float wish[3];
	set_wish(m, wish);
	wish[2] = 0;
	const float wanted = normalise_by_square(wish) * by;
	accelerate(m, wish, wanted, 1);
	if (m->has_plane) clip(m->p->velocity, m->ground.normal, m->p->velocity);
	step_slide_move(m, true);
}

static void turn_along_ground(struct mover *m) {
	float *velocity = m->p->velocity;
	const float speed = length(velocity);
	clip(velocity, m->ground.normal, velocity);
	normalise_by_square(velocity);
	scale(velocity, speed);
}

static void walk_move(struct mover *m) {
	struct player *p = m->p;
	if (check_jump(m)) {
		air_move(m);
		return;
	}
	apply_friction(m);
	const float by = command_scale(m);
	set_direction(m);
	flatten(m);
	clip(m->forward, m->ground.normal, m->forward);
	clip(m->right, m->ground.normal, m->right);
	normalise_by_square(m->forward);
	normalise_by_square(m->right);
	float wish[3];
	set_wish(m, wish);
	float wanted = normalise_by_square(wish) * by;
	if (p->flags & DUCKED && wanted > p->speed * 0.25f) wanted = p->speed * 0.25f;
	if (p->water_level) {
		const float wading = 1 - 0.5f * (p->water_level / 3.0f);
		if (wanted > p->speed * wading) wanted = p->speed * wading;
	}
	accelerate(m, wish, wanted, is_sliding(m) ? 1 : 10);
	if (is_sliding(m)) p->velocity[2] -= p->gravity * m->frame_time;
	turn_along_ground(m);
	if (p->velocity[0] == 0 && p->velocity[1] == 0) return;
	step_slide_move(m, false);
}

static void fly_move(struct mover *m) {
	apply_friction(m);
	float wish[3];
	set_free_wish(m, command_scale(m), 0, wish);
	const float wanted = normalise_by_square(wish);
	accelerate(m, wish, wanted, 8);
	step_slide_move(m, false);
}

static void water_jump_move(struct mover *m) {
	struct player *p = m->p;
	step_slide_move(m, true);
	p->velocity[2] -= p->gravity * m->frame_time;
	if (p->velocity[2] < 0) {
		p->flags &= ~ALL_TIMES;
		p->timer = 0;
	}
}

static bool check_water_jump(struct mover *m) {
	struct player *p = m->p;
	if (p->timer || p->water_level != 2) return false;
	float flat[3] = {m->forward[0], m->forward[1], 0}, spot[3];
	normalise_by_square(flat);
	add_scaled(p->origin, 30, flat, spot);
	spot[2] += 4;
	if (!(yardstick_contents(m->tracer, spot) & SOLID)) return false;
	spot[2] += 16;
	if (yardstick_contents(m->tracer, spot) & (SOLID | PLAYERCLIP | BODY)) return false;
	for (int k = 0; k < 3; k++) p->velocity[k] = m->forward[k] * 200;
	p->velocity[2] = 350;
	p->flags |= TIME_WATERJUMP;
	p->timer = 2000;
	return true;
}

static void water_move(struct mover *m) {
	struct player *p = m->p;
	if (check_water_jump(m)) {
		water_jump_move(m);
		return;
	}
	apply_friction(m);
	float wish[3];
	set_free_wish(m, command_scale(m), -60, wish);
	float wanted = normalise_by_square(wish);
	if (wanted > p->speed * 0.5f) wanted = p->speed * 0.5f;
	accelerate(m, wish, wanted, 4);
	if (m->has_plane && dot(p->velocity, m->ground.normal) < 0) turn_along_ground(m);
	slide_move(m, false);
}

static void noclip_move(struct mover *m) {
	struct player *p = m->p;
	p->view_height = 26;
	const float speed = length(p->velocity);
	if (speed < 1) clear(p->velocity);
	else slow(p->velocity, speed, (speed < STOP_SPEED ? STOP_SPEED : speed) * 9 * m->frame_time);
	const float by = command_scale(m);
	float wish[3];
	set_wish(m, wish);
	wish[2] += m->command.up;
	const float wanted = normalise_by_square(wish) * by;
	accelerate(m, wish, wanted, 10);
	add_scaled(p->origin, m->frame_time, p->velocity, p->origin);
}

static void dead_move(struct mover *m) {
	if (!m->is_walking) return;
	const float speed = length(m->p->velocity) - 20;
	if (speed <= 0) clear(m->p->velocity);
	else {
		normalise_by_square(m->p->velocity);
		scale(m->p->velocity, speed);
	}
}

static void grapple_move(struct mover *m) {
	struct player *p = m->p;
	for (int k = 0; k < 3; k++) p->velocity[k] = p->grapple[k] + m->forward[k] * -16 - p->origin[k];
	const float distance = length(p->velocity);
	normalise_by_square(p->velocity);
	scale(p->velocity, distance <= 100 ? 10 * distance : 800);
	m->has_plane = false;
}

// A slice.

static void update_angles(struct mover *m) {
	struct player *p = m->p;
	if (p->type == INTERMISSION || p->type == SOLO_INTERMISSION) return;
	if (p->type != SPECTATOR && p->health <= 0) return;
	for (int k = 0; k < 3; k++) {
		int turn = (int16_t)(m->command.angles[k] + p->delta_angles[k]);
		if (k == 0 && (turn > 16000 || turn < -16000)) {
			turn = turn > 0 ? 16000 : -16000;
			p->delta_angles[0] = turn - m->command.angles[0];
		}
		p->angles[k] = turn * (360.0f / 65536);
	}
}

static void drop_timers(struct mover *m) {
	struct player *p = m->p;
	if (!p->timer) return;
	if (m->ms >= p->timer) {
		p->flags &= ~ALL_TIMES;
		p->timer = 0;
	} else p->timer -= m->ms;
}

static void foot_steps(struct mover *m) {
	struct player *p = m->p;
	const float speed = sqrtf(p->velocity[0] * p->velocity[0] + p->velocity[1] * p->velocity[1]);
	if (p->ground < 0) return;
	if (!m->command.forward && !m->command.right) {
		if (speed < 5) p->bob = 0;
		return;
	}
	const bool is_ducked = p->flags & DUCKED, is_walking = m->command.buttons & WALKING;
	const float pace = is_ducked ? 0.5f : is_walking ? 0.3f : 0.4f;
	const int before = p->bob;
	p->bob = (int)(before + pace * m->ms) & 255;
	if (!(((before + 64) ^ (p->bob + 64)) & 128)) return;
	if (p->water_level == 1) add_event(p, EVENT_SPLASH);
	else if (p->water_level == 2) add_event(p, EVENT_SWIM);
	else if (p->water_level == 0 && !is_ducked && !is_walking && m->has_steps) add_event(p, footstep(m));
}

static void water_events(struct mover *m) {
	struct player *p = m->p;
	const int before = m->old_level, after = p->water_level;
	if (!before && after) add_event(p, EVENT_TOUCH);
	if (before && !after) add_event(p, EVENT_LEAVE);
	if (before != 3 && after == 3) add_event(p, EVENT_UNDER);
	if (before == 3 && after != 3) add_event(p, EVENT_CLEAR);
}

static void snap(float velocity[3]) {
	for (int k = 0; k < 3; k++) {
		const float whole = rintf(velocity[k]);
		// Zeros lose their sign; what an int cannot hold is its least.
		velocity[k] = whole >= -2147483648.0f && whole < 2147483648.0f ? whole + 0.0f : -2147483648.0f;
	}
}

static void move_player(struct mover *m) {
	struct player *p = m->p;
	set_water_level(m);
	m->old_level = p->water_level;
	check_duck(m);
	trace_ground(m);
	if (p->type == DEAD) dead_move(m);
	drop_timers(m);
	if (p->flight) fly_move(m);
	else if (p->flags & GRAPPLE_PULL) {
		grapple_move(m);
		air_move(m);
	} else if (p->flags & TIME_WATERJUMP) water_jump_move(m);
	else if (p->water_level > 1) water_move(m);
	else if (m->is_walking) walk_move(m);
	else air_move(m);
	trace_ground(m);
	set_water_level(m);
	if (!(p->flags & RESPAWNED) && p->health > 0 && !(m->command.buttons & USE_ITEM)) p->flags &= ~USE_ITEM_HELD;
	foot_steps(m);
	water_events(m);
	snap(p->velocity);
}

static void stand(struct command *c) {
	c->forward = c->right = c->up = 0;
}

static void run_slice(struct mover *m) {
	struct player *p = m->p;
	struct command *c = &m->command;
	p->water_level = p->water_type = 0;
	if (p->health <= 0) m->mask &= ~BODY;
	const int buttons = c->buttons;
	if (abs(c->forward) > 64 || abs(c->right) > 64) c->buttons &= ~WALKING;
	if (p->health > 0 && !(buttons & (ATTACK | USE_ITEM))) p->flags &= ~RESPAWNED;
	if (buttons & TALK) {
		c->buttons = TALK;
		stand(c);
	}
	m->is_walking = m->has_plane = false;
	memset(&m->ground, 0, sizeof m->ground);
	m->impact = 0;
	p->command_time += m->ms;
	m->frame_time = m->ms * m->seconds;
	copy(p->origin, m->old_origin);
	copy(p->velocity, m->old_velocity);
	update_angles(m);
	angle_vectors(p->angles, m->radians, m->forward, m->right, NULL);
	if (c->up < 10) p->flags &= ~JUMP_HELD;
	if (c->forward < 0) p->flags |= BACKWARDS_RUN;
	else if (c->forward > 0 || c->right) p->flags &= ~BACKWARDS_RUN;
	if (p->type >= DEAD) stand(c);
	if (p->type == SPECTATOR) {
		check_duck(m);
		fly_move(m);
		drop_timers(m);
	} else if (p->type == NOCLIP) {
		noclip_move(m);
		drop_timers(m);
	} else if (p->type < FREEZE) move_player(m);
}

struct mover *moves_create(const void *data) {
	const struct shape shape = {
		.kind = "box",
		.mins = {-HALF_WIDTH, -HALF_WIDTH, FEET},
		.maxs = {HALF_WIDTH, HALF_WIDTH, 32},
		.keeps_distance = 1,
	};
	struct tracer *tracer = yardstick_create(data, &shape);
	if (!tracer) return NULL;
	struct mover *m = calloc(1, sizeof *m);
	m->tracer = tracer;
	moves_set(m, (const float[]){0, 66, 1});
	return m;
}

/** Settings: whether it is bytecode, the longest slice in milliseconds, whether steps are audible. */
void moves_set(struct mover *m, const float *settings) {
	const bool is_qvm = settings[0];
	m->is_qvm = is_qvm;
	m->slice = settings[1];
	m->has_steps = settings[2];
	m->radians = is_qvm ? (float)RADIANS : RADIANS;
	m->seconds = is_qvm ? 0.001f : 0.001;
	m->same_plane = is_qvm ? 0.99f : 0.99;
	m->leaving = is_qvm ? 0.1f : 0.1;
	m->step_floor = is_qvm ? 0.7f : 0.7;
	m->harm = is_qvm ? 0.0001f : 0.0001;
}

int moves_state_bytes(void) {
	return sizeof(struct player);
}

void moves_run(struct mover *m, void *state, const int32_t *command) {
	struct player *p = m->p = state;
	memcpy(&m->command, command, sizeof m->command);
	if (m->command.push_time > 0) {
		for (int k = 0; k < 3; k++) p->velocity[k] += m->command.push[k];
		if (!p->timer) {
			p->timer = m->command.push_time;
			p->flags |= TIME_KNOCKBACK;
		}
	}
	clear(p->mins);
	clear(p->maxs);
	p->water_level = p->water_type = 0;
	m->mask = p->mask;
	const int end = m->command.time;
	if (end < p->command_time) return;
	if (end > p->command_time + MOST_TIME) p->command_time = end - MOST_TIME;
	p->frame = (p->frame + 1) & 63;
	while (p->command_time != end) {
		const int left = end - p->command_time;
		m->ms = left < m->slice ? left : m->slice;
		run_slice(m);
		if (p->flags & JUMP_HELD) m->command.up = 20;
	}
}

void moves_free(struct mover *m) {
	yardstick_free(m->tracer);
	free(m);
}
