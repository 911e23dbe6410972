import { jest } from '@jest/globals';
import { Connection } from './connect.ts';
import type { StateMessage } from './messages.ts';
import { Store } from './store.ts';

/** A stream that the test feeds. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static readonly all: FakeSource[] = [];
  readyState = 0;
  readonly path: string;

  constructor(path: string) {
    super();
    this.path = path;
    FakeSource.all.push(this);
  }

  close(): void {
    this.readyState = 2;
  }

  say(event: string, data: object): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }

  fail(isRefused: boolean): void {
    this.readyState = isRefused ? 2 : 0;
    this.dispatchEvent(new Event('error'));
  }
}

const STATE: StateMessage = {
  now: 5000,
  script: '/a.js',
  node: { network: 'mainnet', view: 'owner' },
  sections: {},
  blocks: [],
  history: {
    hour: { end: 0, series: {} },
    day: { end: 0, series: {} },
    month: { end: 0, series: {} },
  },
};

let store: Store;
let frames: number;
beforeEach(() => {
  jest.useFakeTimers({ now: 1000 });
  FakeSource.all.length = 0;
  frames = 0;
  Object.assign(globalThis, {
    EventSource: FakeSource,
    requestAnimationFrame: (callback: () => void) => {
      frames++;
      setTimeout(callback, 16);
    },
  });
  store = new Store();
  new Connection('/page/events', store).open();
});
afterEach(() => void jest.useRealTimers());

const source = (): FakeSource => FakeSource.all.at(-1) as FakeSource;

test('the state makes the page live, and its clock that of the node', () => {
  expect(store.shown).toMatchObject({ link: 'connecting', data: undefined });
  source().say('state', STATE);
  expect(store.shown).toMatchObject({ link: 'live', clockOffset: 4000 });
  source().say('change', { now: 6000, sections: { fees: { perByte: [1] } } });
  expect(store.shown.data?.sections.fees).toEqual({ perByte: [1] });
  expect(source().path).toBe('/page/events');
});

test('many changes between two frames are shown once', () => {
  let shown = 0;
  store.subscribe(() => void shown++);
  source().say('state', STATE);
  for (let i = 0; i < 50; i++) source().say('change', { now: i });
  jest.advanceTimersByTime(20);
  expect([frames, shown]).toEqual([1, 1]);
});

test('a broken stream is shown as lost until it is open again', () => {
  source().say('state', STATE);
  source().fail(false);
  expect(store.shown.link).toBe('lost');
  expect(store.shown.data).toBeDefined();
  source().dispatchEvent(new Event('open'));
  expect(store.shown.link).toBe('live');
  expect(FakeSource.all).toHaveLength(1);
});

test('a stream that was refused is asked for again, more and more rarely', () => {
  source().fail(true);
  jest.advanceTimersByTime(1999);
  expect(FakeSource.all).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(FakeSource.all).toHaveLength(2);
  source().fail(true);
  jest.advanceTimersByTime(3999);
  expect(FakeSource.all).toHaveLength(2);
  jest.advanceTimersByTime(1);
  expect(FakeSource.all).toHaveLength(3);
  source().say('state', STATE);
  source().fail(true);
  jest.advanceTimersByTime(2000);
  expect(FakeSource.all).toHaveLength(4);
});

test('a stream that falls silent is opened again; one that beats is not', () => {
  source().say('state', STATE);
  for (let i = 0; i < 10; i++) {
    jest.advanceTimersByTime(15_000);
    source().say('beat', {});
  }
  expect(FakeSource.all).toHaveLength(1);
  jest.advanceTimersByTime(40_000);
  expect([FakeSource.all.length, store.shown.link]).toEqual([2, 'lost']);
  expect(FakeSource.all[0]?.readyState).toBe(2);
});

test('a change before the state is of no use', () => {
  source().say('change', { now: 1, sections: {} });
  expect(store.shown.data).toBeUndefined();
});
