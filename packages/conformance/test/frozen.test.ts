import { BakeError } from '@bspkit/bake';
import { QueueError } from '@bspkit/bake/queue';
import { CompileError } from '@bspkit/compile';
import { BspError } from '@bspkit/core';
import { packError, unpackError } from '@bspkit/core/format';
import { TracePoolError } from 'bspkit/pool';
import { expect, it } from 'vitest';

/** Runs something while no error inherits a name that an assignment may hide, as where the prototype of errors is frozen. */
function whileFrozen<T>(run: () => T): T {
  Object.defineProperty(Error.prototype, 'name', { writable: false });
  try {
    return run();
  } finally {
    Object.defineProperty(Error.prototype, 'name', { writable: true });
  }
}

it('errors of all packages can be made where the prototype of errors is frozen', () => {
  const makers = {
    BspError: () => new BspError('magic', { format: 'bsp' }, 'no map'),
    BakeError: () => new BakeError('job', 'no job'),
    QueueError: () => new QueueError('lost', 'no queue'),
    CompileError: () => new CompileError('syntax', {}, 'no brush'),
    TracePoolError: () => new TracePoolError('closed', 'no pool'),
  };
  for (const [name, make] of Object.entries(makers)) {
    const usual = make();
    const error = whileFrozen<Error>(make);
    expect(error.name).toBe(name);
    expect(Object.entries(error)).toEqual(Object.entries(usual));
    const sent = whileFrozen(() => unpackError(packError(error)));
    expect(sent).toMatchObject({ name, message: error.message });
  }
});
