import { readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { it } from 'vitest';
import { readUfoai } from '../src/file.ts';
import { computeRouting } from '../src/routing/compute.ts';
import { encodeRouting, readRouting } from '../src/routing/lump.ts';
it('x', () => {
  for (const name of readdirSync('/work/shared/maps/ufoai')) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    const file = readUfoai(gunzipSync(readFileSync('/work/shared/maps/ufoai/' + name)));
    const own = readRouting(file);
    const again = Buffer.from(encodeRouting(own)).equals(Buffer.from(file.lumps.routing));
    const t = process.cpuUsage();
    const made = computeRouting(file);
    const ms = process.cpuUsage(t).user / 1000;
    let bad = 0; let first = -1;
    for (let k = 0; k < own.bytes.length; k++) if (own.bytes[k] !== made.bytes[k]) { bad++; if (first < 0) first = k; }
    console.log(name, again, [...own.mins], [...own.maxs], [...made.mins], [...made.maxs], 'bad', bad, first, Math.round(ms), 'ms', Buffer.from(encodeRouting(made)).equals(Buffer.from(file.lumps.routing)));
  }
}, 600000);
