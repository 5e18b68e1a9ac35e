import { describe, expect, it } from 'vitest';
import { type Measured, measure, type Runner } from '../src/index.ts';

describe('measuring anything', () => {
  /** A clock of our own, and jobs that take some time by it. */
  function clocked() {
    let time = 0;
    const jobs: string[] = [];
    const taking =
      (nanoseconds: number): Runner =>
      (first, last) => {
        time += 1e-6 * nanoseconds * (last - first);
        jobs.push(`${first} ${last}`);
        return last;
      };
    return { now: () => time, taking, jobs };
  }

  it('gives the time of a job, one runner after the other in turns', () => {
    const { now, taking } = clocked();
    const [one, slow] = measure([taking(100), taking(400)], 300, { now, rounds: 3, roundTime: 1 });
    expect(one!.time!.median).toBeCloseTo(100);
    expect(slow!.time!.median).toBeCloseTo(400);
    expect(slow!.time!.speed).toBeCloseTo(0.25);
    expect(one).not.toHaveProperty('allocated');
  });

  it('takes hardly longer for a round than it has to', () => {
    const { now, taking } = clocked();
    const rounds: number[] = [];
    const slow = taking(1e6);
    const run: Runner = (first, last) => {
      rounds.push(now());
      return slow(first, last);
    };
    measure([run], 1, { now, rounds: 5, roundTime: 10 });
    // 21 ms to find out how many passes that takes, and two rounds to warm up.
    expect(rounds.at(-1)).toBeLessThan(21 + 7 * 15);
    expect(rounds.at(-1)).toBeGreaterThan(7 * 10);
  });

  it('runs short jobs too for as long as a round takes', () => {
    const { now, taking } = clocked();
    const rounds: number[] = [];
    const quick = taking(1);
    const run: Runner = (first, last) => {
      if (first === 0) rounds.push(now());
      return quick(first, last);
    };
    // Twenty million jobs per round.
    measure([Object.assign(run, { atOnce: Infinity })], 2000, { now, rounds: 1, roundTime: 20 });
    // The search, two rounds to warm up, and the one that counts.
    expect(rounds.at(-1)).toBeGreaterThan(3 * 20);
    expect(rounds.at(-1)).toBeLessThan(25 + 4 * 25);
  });

  it('runs for as long as a round takes, though jobs become shorter once they are compiled', () => {
    const { now, taking } = clocked();
    const [slow, quick] = [taking(10_000), taking(200)];
    const rounds: number[] = [];
    let done = 0;
    const run: Runner = (first, last) => {
      if (first === 0) rounds.push(now());
      done += last - first;
      return done > 1000 ? quick(first, last) : slow(first, last);
    };
    const [measured] = measure([run], 1000, { now, rounds: 3, roundTime: 10 });
    expect(measured!.time!.median).toBeCloseTo(200);
    // The passes of three rounds, whose jobs take a fifth of a millisecond together.
    expect(rounds.length).toBeGreaterThan(3 * 50);
    expect(rounds.length).toBeLessThan(4 * 75);
  });

  it('does so for the shortest jobs too, of which a round has millions', () => {
    const { now, taking } = clocked();
    const [slow, quick] = [taking(10), taking(1)];
    const starts: number[] = [];
    let done = 0;
    const run: Runner = (first, last) => {
      starts.push(now());
      done += last - first;
      return done > 5e6 ? quick(first, last) : slow(first, last);
    };
    measure([Object.assign(run, { atOnce: Infinity })], 20_000, { now, rounds: 9, roundTime: 20 });
    // Nine rounds, and the search with two rounds before them.
    expect(starts.at(-1)).toBeGreaterThan(9 * 20);
    expect(starts.at(-1)).toBeLessThan(9 * 25 + 4 * 25);
  });

  it('asks for all jobs, 200 at a time', () => {
    const { now, taking, jobs } = clocked();
    measure([taking(1)], 450, { now, rounds: 1, roundTime: 0 });
    expect(jobs.slice(0, 3)).toEqual(['0 200', '200 400', '400 450']);
    expect(jobs).toHaveLength(4 * 3);
  });

  it('asks a runner for as many jobs at once as it says', () => {
    const { now, taking, jobs } = clocked();
    const whole = Object.assign(taking(1), { atOnce: Infinity });
    const some = Object.assign(taking(1), { atOnce: 300 });
    measure([whole, some], 450, { now, rounds: 0, heap: () => 0 });
    expect(jobs).toEqual(['0 450', '0 300']);
    jobs.length = 0;
    measure([whole, some], 450, { now, rounds: 1, roundTime: 0 });
    expect(jobs.slice(0, 3)).toEqual(['0 450', '0 300', '300 450']);
  });

  it('gives what a job allocates, even without a clock', () => {
    let used = 0;
    const greedy: Runner = (first, last) => {
      used += 24 * (last - first);
      return last;
    };
    const measured = measure([greedy, (_, last) => last], 400, { rounds: 0, heap: () => used });
    expect(measured).toEqual([{ allocated: 24 }, { allocated: 0 }]);
  });

  it('does so for few jobs too, even if garbage is collected meanwhile', () => {
    let used = 0;
    const collected: Runner = (first, last) => {
      const jobs = last - first;
      used += jobs > 3 ? -5 : 24 * jobs;
      return last;
    };
    expect(measure([collected], 300, { rounds: 0, heap: () => used })).toEqual([{ allocated: 24 }]);
    const always: Runner = () => (used -= 5);
    expect(measure([always], 300, { rounds: 0, heap: () => used })).toEqual([
      { allocated: Number.POSITIVE_INFINITY },
    ]);
  });

  it('refuses what it cannot use, by name', () => {
    const run: Runner = (_, last) => last;
    expect(() => measure([], 1)).toThrow(new RangeError('runners must hold at least one'));
    expect(() => measure([5 as never], 1)).toThrow('runners[0] must be a function, got 5');
    const none = Object.assign((_: number, last: number) => last, { atOnce: 0 });
    expect(() => measure([none], 1)).toThrow('runners[0].atOnce must be a whole number, 1 or more, got 0');
    expect(() => measure([run], 0)).toThrow('count must be a whole number');
    expect(() => measure([run], 1, { rounds: -1 })).toThrow('rounds must be a whole number from 0 to 1000');
    expect(() => measure([run], 1, { now: () => Number.NaN })).toThrow(
      new RangeError('now must be a clock of finite milliseconds, got NaN'),
    );
    expect(() => measure([run], 1, { onProgress: run } as never)).toThrow(
      "there is no option 'onProgress' here",
    );
  });

  it('ends even if the clock does not go on with the jobs', () => {
    let [time, jobs] = [0, 0];
    const run = (first: number, last: number): number => (jobs += last - first);
    measure([run], 1000, { now: () => time++, rounds: 1, roundTime: 60_000 });
    expect(jobs).toBeLessThan(5 * 8e6);
  });

  it('ends even if the clock stands still', () => {
    let jobs = 0;
    const run = (first: number, last: number): number => (jobs += last - first);
    const [{ time }] = measure([run], 10, { now: () => 7, rounds: 1 }) as [Measured];
    expect(time).toMatchObject({ median: 0, speed: 1 });
    // A round, two before it that do not count, and the search for their length: up to eight million each.
    expect(jobs).toBeGreaterThan(4e6);
    expect(jobs).toBeLessThan(4 * 8e6);
  });
});
