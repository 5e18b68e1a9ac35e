// Answers rays over HTTP, through any map that bspkit opens:
//
//   GET  /trace?from=x,y,z&to=x,y,z    where a ray ends, and what it hit
//   POST /blocked                      [[x, y, z, x, y, z], …]: which of these lines something blocks
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createTrace, formatOf, openBsp } from 'bspkit';

/** The most bytes in a body: some 10,000 lines. */
const MOST_BYTES = 1_000_000;

const [path = 'arena.bsp', port = '8080'] = process.argv.slice(2);
const world = await openBsp(readFileSync(path));
const format = await formatOf(world);

// Made once. JavaScript answers one request after the other, so all of them can share a tracer and an answer.
/** @type {import('bspkit').Tracer} */
const ray = world.ray();
const trace = createTrace();

/** Three numbers of a query, `1,2,3`. */
function point(/** @type {URLSearchParams} */ query, /** @type {string} */ name) {
  // Each is all of its text: of `1x` there is no number, nor of nothing.
  const numbers = (query.get(name) ?? '').split(',').map((text) => Number(text.trim() || Number.NaN));
  if (numbers.length !== 3) throw new RangeError(`${name} must be three numbers: ${name}=1,2,3`);
  return numbers; // NaN is the tracer's to refuse
}

function traceOne(/** @type {URLSearchParams} */ query) {
  ray.trace(point(query, 'from'), point(query, 'to'), trace);
  const { fraction, startSolid, contents, model } = trace;
  // As plain arrays: JSON would turn typed arrays into objects.
  const [endPos, normal] = [Array.from(trace.endPos), Array.from(trace.normal)];
  return { fraction, endPos, normal, startSolid, contents: format.contents.names(contents), model };
}

function blockedMany(/** @type {unknown} */ lines) {
  const isLine = (/** @type {unknown} */ line) =>
    Array.isArray(line) && line.length === 6 && line.every((number) => typeof number === 'number');
  if (!Array.isArray(lines) || !lines.every(isLine)) {
    throw new RangeError('the body must be a list of lines, each of six numbers');
  }
  // Many at once: one call into the kernel for all of them.
  return Array.from(ray.blockedBatch(Float32Array.from(lines.flat())), Boolean);
}

async function body(/** @type {import('node:http').IncomingMessage} */ request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    // The rest is read too, and dropped: who leaves the loop closes the connection, often before the answer is out.
    if (text.length <= MOST_BYTES) text += chunk;
  }
  if (text.length > MOST_BYTES) throw new RangeError('the body is too long');
  return JSON.parse(text);
}

const server = createServer(async (request, response) => {
  const answer = (/** @type {number} */ status, /** @type {unknown} */ value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const route = `${request.method} ${pathname}`;
    if (route === 'GET /trace') answer(200, traceOne(searchParams));
    else if (route === 'POST /blocked') answer(200, blockedMany(await body(request)));
    else answer(404, { error: 'there are GET /trace and POST /blocked' });
  } catch (error) {
    // A tracer's errors name the wrong argument, and nothing internal.
    answer(400, { error: error instanceof Error ? error.message : String(error) });
  }
});

server.on('error', ({ message }) => {
  console.error(message); // such as a port that is taken
  process.exitCode = 1;
});
server.listen(Number(port), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`${path}: http://127.0.0.1:${port}/trace?from=-256,0,56&to=1000,0,56`);
});
