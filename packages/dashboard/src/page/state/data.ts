import { RANGES, type PointChange, type RangeName, type SeriesName } from './messages.ts';
import {
  MOST_BLOCKS,
  MOST_LOG_LINES,
  type BlockRow,
  type BlocksChange,
  type ChangeMessage,
  type LogRow,
  type NodeDescription,
  type Sections,
  type StateMessage,
  type Track,
} from './messages.ts';

/** The state of the node as the page knows it. */
export interface PageData {
  readonly node: NodeDescription;
  /** Path of the script that belongs to the node. */
  readonly script: string;
  readonly sections: Partial<Sections>;
  /** Oldest first. */
  readonly blocks: readonly BlockRow[];
  /** Oldest first; undefined in the public view. */
  readonly log: readonly LogRow[] | undefined;
  readonly history: Readonly<Record<RangeName, Track>>;
}

/** Returns the state with which a stream begins. */
export function begin({ node, script, sections, blocks, log, history }: StateMessage): PageData {
  return { node, script, sections, blocks, log, history };
}

/** Returns the state after a change. However many changes come, it does not grow. */
export function applyChange(data: PageData, change: ChangeMessage): PageData {
  const { sections, blocks, log, points } = change;
  return {
    ...data,
    sections: sections === undefined ? data.sections : { ...data.sections, ...sections },
    blocks: blocks === undefined ? data.blocks : withBlocks(data.blocks, blocks),
    log: log === undefined ? data.log : withLines(data.log ?? [], log),
    history: points === undefined ? data.history : withPoints(data.history, points),
  };
}

function withBlocks(blocks: readonly BlockRow[], { from, added }: BlocksChange): BlockRow[] {
  return [...blocks.filter(({ height }) => height < from), ...added].slice(-MOST_BLOCKS);
}

function withLines(lines: readonly LogRow[], added: readonly LogRow[]): LogRow[] {
  const newest = lines.at(-1)?.number ?? 0;
  return [...lines, ...added.filter(({ number }) => number > newest)].slice(-MOST_LOG_LINES);
}

function withPoints(
  history: PageData['history'],
  points: readonly PointChange[],
): PageData['history'] {
  const changed = { ...history };
  for (const point of points) changed[point.range] = withPoint(changed[point.range], point);
  return changed;
}

/** Steps that were missed are empty. A point that is known already changes nothing. */
function withPoint(track: Track, { at, range, values }: PointChange): Track {
  const { points: most, step } = RANGES[range];
  if (at <= track.end) return track;
  const missed = track.end === 0 ? 0 : Math.min(most, Math.round((at - track.end) / step) - 1);
  const gap = Array<null>(missed).fill(null);
  const names = Object.keys(track.series) as SeriesName[];
  const series = Object.fromEntries(
    names.map((name) => {
      const known = track.series[name] ?? [];
      return [name, [...known, ...gap, values[name] ?? null].slice(-most)];
    }),
  );
  return { end: at, series };
}
