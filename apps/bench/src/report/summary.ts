import { isTest } from '../queries/motions.ts';
import { type MapResult, peerNames, type Report } from '../result.ts';

/** How fast a peer is on a map: the geometric mean over the series that it and the reference both have. */
export interface Mean {
  readonly map: string;
  readonly peer: string;
  /** How many times as fast as the reference. */
  readonly speed: number;
  readonly series: number;
}

/** What others are compared with: native code if it was measured, else the first. */
export function referencePeer(report: Report): string {
  const names = peerNames(report);
  return names.find((name) => name === 'C') ?? names[0]!;
}

/** Mean speeds of all peers, map by map. */
export function meanSpeeds(report: Report, reference: string = referencePeer(report)): Mean[] {
  return report.maps.flatMap((map) =>
    peerNames(report).flatMap((peer) => {
      const speeds = speedsOf(map, peer, reference);
      if (speeds.length === 0) return [];
      return [{ map: map.map, peer, speed: geometricMean(speeds), series: speeds.length }];
    }),
  );
}

/** How many times as long as another a peer takes, and over how many maps; undefined if they have no series in common. */
export function overallTimes(
  report: Report,
  peer: string,
  other: string,
): { times: number; maps: number } | undefined {
  const maps = report.maps.map((map) => speedsOf(map, other, peer)).filter((speeds) => speeds.length > 0);
  return maps.length === 0 ? undefined : { times: geometricMean(maps.flat()), maps: maps.length };
}

export const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

/** How many times as fast as the reference a peer is, in each series that both have. */
function speedsOf({ series }: MapResult, peer: string, reference: string): number[] {
  return series.flatMap(({ motion, peers }) => {
    // Other libraries trace where ours tests.
    if (isTest(motion)) return [];
    const own = peers.find(({ name }) => name === peer)?.time;
    const other = peers.find(({ name }) => name === reference)?.time;
    return own && other ? [other.median / own.median] : [];
  });
}
