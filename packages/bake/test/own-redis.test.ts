import { Server } from 'node:net';
import { REDIS_SERVER, startRedis } from '@bspkit/testkit/redis';
import { expect, it, vi } from 'vitest';

it.runIf(REDIS_SERVER)('a Redis of a test has another port where the first is taken', async () => {
  const close = vi.spyOn(Server.prototype, 'close');
  let taken: Server | undefined;
  // It only seems to be free.
  close.mockImplementationOnce(function (this: Server) {
    taken = this;
    setImmediate(() => this.emit('close'));
    return this;
  });
  try {
    const redis = await startRedis();
    expect(await redis.ask('PING')).toBe('+PONG\r\n');
    await redis.remove();
    expect(taken).toBeDefined();
  } finally {
    close.mockRestore();
    taken?.close();
  }
});
