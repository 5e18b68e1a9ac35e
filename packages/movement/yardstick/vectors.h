// Vectors for players' moves in C: the same in all games, except for what some games round differently.
#pragma once

#include <math.h>
#include <stddef.h>
#include <string.h>

/** Converts degrees to radians. */
#define RADIANS 0.017453292519943295

static inline float dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const float a[3], const float b[3], float out[3]) {
	for (int k = 0; k < 3; k++) {
		const int i = (k + 1) % 3, j = (k + 2) % 3;
		out[k] = a[i] * b[j] - b[i] * a[j];
	}
}

static inline void copy(const float from[3], float to[3]) {
	memcpy(to, from, 3 * sizeof(float));
}

static inline void clear(float v[3]) {
	v[0] = v[1] = v[2] = 0;
}

static inline void scale(float v[3], float by) {
	for (int k = 0; k < 3; k++) v[k] *= by;
}

static inline void add_scaled(const float from[3], float by, const float along[3], float to[3]) {
	for (int k = 0; k < 3; k++) to[k] = from[k] + by * along[k];
}

static inline float length(const float v[3]) {
	return sqrtf(dot(v, v));
}

/** Makes a vector one unit long, unless it has no length, and returns its previous length. */
static inline float normalise(float v[3]) {
	const float size = length(v);
	if (size != 0) scale(v, 1 / size);
	return size;
}

/** Reduces a velocity's speed by an amount, at most to zero. */
static inline void slow(float velocity[3], float speed, float drop) {
	float left = speed - drop;
	if (left < 0) left = 0;
	scale(velocity, left / speed);
}

/** The directions forward, right and, unless it is NULL, up, from pitch, yaw and roll in degrees. */
static inline void angle_vectors(
	const float angles[3], double radians, float forward[3], float right[3], float up[3]) {
	float s[3], c[3];
	for (int k = 0; k < 3; k++) {
		const float angle = angles[k] * radians;
		s[k] = sin(angle);
		c[k] = cos(angle);
	}
	forward[0] = c[0] * c[1];
	forward[1] = c[0] * s[1];
	forward[2] = -s[0];
	right[0] = -s[2] * s[0] * c[1] + -c[2] * -s[1];
	right[1] = -s[2] * s[0] * s[1] + -c[2] * c[1];
	right[2] = -s[2] * c[0];
	if (!up) return;
	up[0] = c[2] * s[0] * c[1] + -s[2] * -s[1];
	up[1] = c[2] * s[0] * s[1] + -s[2] * c[1];
	up[2] = c[2] * c[0];
}
