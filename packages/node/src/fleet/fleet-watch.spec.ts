import { silentLogger } from '@monero-node/base';
import type { AgedStatement } from './fleet-answer.ts';
import { readAnswer, writeAnswer } from './fleet-answer.ts';
import type { ChainTip } from './fleet-tip.ts';
import { FleetWatch } from './fleet-watch.ts';
import { Signer } from './statement.ts';

/** The tip of a chain whose blocks took 16 hashes each. */
const tipAt = (height: number): ChainTip => ({
  height,
  id: height.toString(16).padStart(64, '0'),
  work: BigInt(height) * 16n,
});

/** A node that stands in for a whole one. */
interface StandIn {
  readonly address: string;
  readonly watch: FleetWatch;
  height: number;
  isReady: boolean;
  /** Answers in the node's place; undefined: the node itself does. */
  answer?: () => string;
}

/** A fleet in one process, with one name and a clock that the test moves. */
class Fleet {
  readonly nodes: StandIn[] = [];
  now = 0;
  /** Questions since the last look. */
  questions = 0;
  /** A node that the name leaves out. */
  unlisted: StandIn | undefined;
  #next = 1;
  readonly #aliases = new Map<string, StandIn>();

  /** Starts a node, which is under the name from then on. Resolves when it has asked all others once. */
  async join(height = 100): Promise<StandIn> {
    const number = this.#next++;
    const address = `10.0.${number >> 8}.${number & 255}:18089`;
    const watch = new FleetWatch({
      nodes: [{ host: 'fleet.example', port: 18089 }],
      logger: silentLogger,
      now: () => this.now,
      // The rounds are the test's.
      interval: 1_000_000,
      resolve: () => Promise.resolve(this.#records()),
      ask: (asked) => this.#ask(asked),
    });
    const node: StandIn = { address, watch, height, isReady: true };
    this.nodes.push(node);
    await watch.start();
    return node;
  }

  /** Gives a node a second address. */
  alias(node: StandIn): void {
    this.#aliases.set(`10.9.0.${this.#next++}:18089`, node);
  }

  async leave(node: StandIn): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(node), 1);
    await node.watch.stop();
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ watch }) => watch.stop()));
  }

  /** Lets seconds pass, in each of which every node has a round. */
  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.now += 1000;
      for (const { watch } of [...this.nodes]) await watch.round();
    }
  }

  #records() {
    const listed = this.nodes.filter((node) => node !== this.unlisted);
    const asked = [...listed.map(({ address }) => address), ...this.#aliases.keys()];
    const addresses = asked.map((address) => address.split(':')[0] ?? '');
    return { asked, addresses, seconds: 5, isCut: false, empty: [] };
  }

  #ask(address: string): Promise<AgedStatement[]> {
    this.questions++;
    const node = this.#aliases.get(address) ?? this.nodes.find((each) => each.address === address);
    if (node === undefined) return Promise.reject(new Error('connection refused'));
    const { isReady, height, watch } = node;
    const text = node.answer?.() ?? watch.answer({ isReady, tip: tipAt(height) });
    return Promise.resolve(readAnswer(JSON.parse(text)));
  }
}

async function fleetOf(count: number): Promise<Fleet> {
  const fleet = new Fleet();
  for (let i = 0; i < count; i++) await fleet.join();
  await fleet.pass(10);
  return fleet;
}

let fleet: Fleet;
afterEach(() => fleet.stop());

test('twenty nodes ask 20 questions a second in all, and each knows all others', async () => {
  fleet = await fleetOf(20);
  fleet.questions = 0;
  await fleet.pass(30);
  expect(fleet.questions).toBe(20 * 30);
  for (const { watch } of fleet.nodes)
    expect(watch.figures).toMatchObject({ ready: 19, notReady: 0, silent: 0, height: 100 });
});

test.each([
  [2, 2],
  [3, 6],
  [5, 20],
  [9, 18],
  [40, 40],
])('the questions of a fleet of %i are at most 20 a second, or one of each', async (count, all) => {
  fleet = await fleetOf(count);
  fleet.questions = 0;
  await fleet.pass(1);
  expect(fleet.questions).toBe(all);
});

test('a block that most of twenty nodes have is known to the others within seconds', async () => {
  fleet = await fleetOf(20);
  for (const node of fleet.nodes.slice(0, 15)) node.height = 102;
  const late = fleet.nodes.slice(15);
  let seconds = 0;
  while (late.some(({ watch }) => watch.tip?.height !== 102) && seconds < 60) {
    await fleet.pass(1);
    seconds++;
  }
  // In turn alone, it would take half of a round through all nodes and more.
  expect(seconds).toBeLessThanOrEqual(8);
});

test('a node joins and leaves without an edit', async () => {
  fleet = await fleetOf(20);
  const more = await fleet.join();
  expect(more.watch.figures).toMatchObject({ ready: 20, silent: 0 });
  await fleet.pass(30);
  for (const { watch } of fleet.nodes) {
    expect(watch.figures?.ready).toBe(20);
    expect(watch.has(more.address.split(':')[0] ?? '')).toBe(true);
  }
  await fleet.leave(more);
  await fleet.pass(6);
  for (const { watch } of fleet.nodes) {
    expect(watch.figures).toMatchObject({ ready: 19, silent: 0 });
    expect(watch.has(more.address.split(':')[0] ?? '')).toBe(false);
  }
});

test('a node that stops answering has no vote after its turn, whoever repeats what it said', async () => {
  fleet = await fleetOf(20);
  const [dead] = fleet.nodes as [StandIn];
  dead.answer = () => 'null';
  await fleet.pass(21);
  for (const { watch } of fleet.nodes.slice(1))
    expect(watch.figures).toMatchObject({ ready: 18, silent: 1 });
});

test('a node that is not ready has no vote', async () => {
  fleet = await fleetOf(3);
  const [one, two, three] = fleet.nodes as [StandIn, StandIn, StandIn];
  two.isReady = false;
  three.height = 101;
  await fleet.pass(2);
  expect(one.watch.figures).toMatchObject({ ready: 1, notReady: 1, height: 101 });
});

test('a node that starts again has one vote, under its new key', async () => {
  fleet = await fleetOf(3);
  const [one, two] = fleet.nodes as [StandIn, StandIn];
  const signer = new Signer();
  two.answer = () =>
    writeAnswer([{ statement: signer.sign({ isReady: true, tip: tipAt(90) }), age: 0 }]);
  await fleet.pass(2);
  expect(one.watch.figures).toMatchObject({ ready: 2, height: 90 });
});

describe('of twenty nodes, one that lies', () => {
  let liar: StandIn;
  const others = (): StandIn[] => fleet.nodes.filter((node) => node !== liar);
  const statementAt = (height: number, signer = new Signer(), age = 0): AgedStatement => ({
    statement: signer.sign({ isReady: true, tip: tipAt(height) }),
    age,
  });

  beforeEach(async () => {
    fleet = await fleetOf(20);
    liar = fleet.nodes[7] as StandIn;
  });

  test('decides nothing with any height', async () => {
    liar.height = 999_999;
    await fleet.pass(30);
    for (const { watch } of others()) expect(watch.tip?.height).toBe(100);
  });

  test('has one vote, however many nodes it makes up', async () => {
    const crowd = Array.from({ length: 100 }, () => new Signer());
    liar.answer = () => writeAnswer(crowd.map((signer) => statementAt(999_999, signer)));
    await fleet.pass(30);
    for (const { watch } of others())
      expect(watch.figures).toMatchObject({ ready: 18, apart: 1, silent: 0, height: 100 });
  });

  test('cannot speak for others', async () => {
    const forged = others().map(({ watch }) => {
      const bytes = Buffer.from(statementAt(999_999).statement.text, 'base64url');
      bytes.write(watch.instanceId ?? '', 'hex');
      bytes.writeBigUInt64BE(1_000_000n, 32);
      return [bytes.toString('base64url'), 0];
    });
    const own = new Signer();
    liar.answer = () => {
      const { text } = statementAt(999_999, own).statement;
      return JSON.stringify({ statements: [[text, 0], ...forged] });
    };
    await fleet.pass(30);
    for (const { watch } of others())
      expect(watch.figures).toMatchObject({ ready: 18, apart: 1, silent: 0, height: 100 });
  });

  test('cannot bring back what others have said before', async () => {
    const [victim] = others() as [StandIn];
    const before = readAnswer(JSON.parse(victim.watch.answer({ isReady: true, tip: tipAt(100) })));
    for (const node of others()) node.height = 120;
    const own = new Signer();
    liar.answer = () => writeAnswer([statementAt(1, own), ...before.slice(0, 1)]);
    await fleet.pass(30);
    for (const { watch } of others()) expect(watch.tip?.height).toBe(120);
  });

  test('that repeats the word of another as its own has no vote', async () => {
    const [victim] = others() as [StandIn];
    victim.height = 90;
    liar.answer = () => victim.watch.answer({ isReady: true, tip: tipAt(90) });
    await fleet.pass(30);
    for (const { watch } of others().slice(1))
      expect(watch.figures).toMatchObject({ ready: 18, silent: 0, height: 100 });
    // Whom it repeats, it cannot take for itself.
    expect(victim.watch.figures?.ready).toBe(18);
  });
});

test('a machine with several addresses has one vote, by what it said last', async () => {
  fleet = await fleetOf(4);
  const [one, twice] = fleet.nodes as [StandIn, StandIn];
  fleet.alias(twice);
  twice.height = 110;
  await fleet.pass(6);
  // With two of four votes, what it says would be vouched for.
  expect(one.watch.figures).toMatchObject({ ready: 3, notReady: 0, silent: 0, height: 100 });
  expect(readAnswer(JSON.parse(one.watch.answer({ isReady: true, tip: tipAt(100) })))).toHaveLength(
    4,
  );
  twice.isReady = false;
  await fleet.pass(2);
  expect(one.watch.figures).toMatchObject({ ready: 2, notReady: 1, silent: 0 });
});

test('a node that a server leaves out for one answer is known at once when it is back', async () => {
  fleet = await fleetOf(2);
  const [one, two] = fleet.nodes as [StandIn, StandIn];
  fleet.unlisted = two;
  await fleet.pass(6);
  expect(one.watch.figures).toMatchObject({ ready: 0, silent: 0 });
  fleet.unlisted = undefined;
  // The records have expired: the round begins with a look-up, whose nodes are asked from the next one on.
  fleet.now += 5000;
  await one.watch.round();
  await new Promise(setImmediate);
  expect(one.watch.figures).toMatchObject({ ready: 1, silent: 0 });
});

test('a fleet of one has nobody to ask', async () => {
  fleet = new Fleet();
  const watch = new FleetWatch({ nodes: [], logger: silentLogger });
  await watch.start();
  expect([watch.tip, watch.instanceId, watch.figures]).toEqual([undefined, undefined, undefined]);
  await watch.stop();
});

test('an answer is written anew when the node or others have said more, or after a quarter of a second', async () => {
  fleet = await fleetOf(2);
  const [{ watch }, other] = fleet.nodes as [StandIn, StandIn];
  const answer = (height = 100) => watch.answer({ isReady: true, tip: tipAt(height) });
  const first = answer();
  fleet.now += 249;
  expect(answer()).toBe(first);
  fleet.now += 1;
  const second = answer();
  const [before, after] = [first, second].map((text) => readAnswer(JSON.parse(text)));
  expect(after?.[1]?.age).toBe((before?.[1]?.age ?? 0) + 250);
  expect(answer(101)).not.toBe(second);
  other.height = 102;
  await watch.round();
  expect(readAnswer(JSON.parse(answer(101)))[1]?.statement.tip.height).toBe(102);
});

test('what a node says is signed anew when it changes, or after a second', async () => {
  fleet = new Fleet();
  const { watch } = await fleet.join();
  const numberAt = (now: number, height: number, isReady = true): number | undefined => {
    fleet.now = now;
    return readAnswer(JSON.parse(watch.answer({ isReady, tip: tipAt(height) })))[0]?.statement
      .number;
  };
  expect([numberAt(0, 100), numberAt(999, 100), numberAt(1000, 100)]).toEqual([1, 1, 2]);
  expect([numberAt(1001, 101), numberAt(1002, 101, false)]).toEqual([3, 4]);
});
