import type {
  BlockRow,
  BlocksChange,
  ChangeMessage,
  LogRow,
  NodeDescription,
  PointChange,
  Sections,
  SeriesName,
  StateMessage,
} from '@monero-node/dashboard';
import type { MillisecondClock } from '@monero-node/base';
import { EventChannel } from '@monero-node/rpc';
import { HistoryKeeper } from './history-keeper.ts';

export interface LiveViewOptions {
  readonly node: NodeDescription;
  /** Path of the script of the page. */
  readonly script: string;
  readonly series: readonly SeriesName[];
  /** Returns the blocks shown, oldest first. */
  readonly blocks: () => readonly BlockRow[];
  /** Returns the lines of the log, oldest first; undefined for a view without them. */
  readonly log: (() => readonly LogRow[]) | undefined;
  readonly onWatched: () => void;
  /** Unix milliseconds. */
  readonly now: MillisecondClock;
}

/** Changes that are not part of a section. */
export interface LiveChanges {
  readonly blocks: BlocksChange | undefined;
  readonly log: readonly LogRow[];
}

/** The state as one kind of visitor sees it, and the changes that are sent as they come. */
export class LiveView {
  readonly channel: EventChannel;
  readonly history: HistoryKeeper;
  readonly #options: LiveViewOptions;
  readonly #sections: Partial<Sections> = {};
  /** The sections as sent last. */
  readonly #sent = new Map<keyof Sections, string>();
  #changed: Partial<Sections> = {};
  #points: PointChange[] = [];

  constructor(options: LiveViewOptions) {
    this.#options = options;
    this.history = new HistoryKeeper(options.series);
    this.channel = new EventChannel({
      snapshot: () => JSON.stringify(this.#state()),
      onWatched: options.onWatched,
    });
  }

  /** Sets a section; it is sent by the next `flush` if it has changed. */
  set<Name extends keyof Sections>(name: Name, value: Sections[Name]): void {
    const json = JSON.stringify(value);
    if (this.#sent.get(name) === json) return;
    this.#sent.set(name, json);
    Object.assign(this.#sections, { [name]: value });
    Object.assign(this.#changed, { [name]: value });
  }

  /** The history is another one: whoever reads begins with the state again. */
  beginAnew(): void {
    this.#points = [];
    this.channel.close();
    this.channel.skip();
  }

  /** Adds points of the history to the next message. */
  addPoints(points: readonly PointChange[]): void {
    if (points.length === 0) return;
    // Nobody reads what is part of the state that a new reader gets.
    if (this.channel.isWatched) this.#points.push(...points);
    else this.channel.skip();
  }

  /** Sends what has changed since the last call. */
  flush({ blocks, log }: LiveChanges): void {
    const sections = this.#changed;
    const points = this.#points;
    this.#changed = {};
    this.#points = [];
    const hasSections = Object.keys(sections).length > 0;
    const hasLog = log.length > 0 && this.#options.log !== undefined;
    if (!hasSections && !hasLog && blocks === undefined && points.length === 0) return;
    const message: ChangeMessage = {
      now: this.#options.now(),
      ...(hasSections ? { sections } : {}),
      ...(blocks === undefined ? {} : { blocks }),
      ...(hasLog ? { log } : {}),
      ...(points.length === 0 ? {} : { points }),
    };
    this.channel.publish(JSON.stringify(message));
  }

  #state(): StateMessage {
    const { blocks, log, node, now, script } = this.#options;
    return {
      now: now(),
      script,
      node,
      sections: this.#sections,
      blocks: blocks(),
      ...(log === undefined ? {} : { log: log() }),
      history: this.history.history,
    };
  }
}
