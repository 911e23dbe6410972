import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from './log-file.ts';

const ROTATIONS = 500;
const CONTENT = 'the content of another file';

let dir: string;
let logs: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-'));
  logs = join(dir, 'logs');
  path = join(logs, 'a.log');
  mkdirSync(logs);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Things that go wrong with the log's folder. Each returns what mends it. */
const FAULTS: readonly (() => () => void)[] = [
  () => () => undefined,
  () => {
    renameSync(logs, `${logs}-aside`);
    return () => renameSync(`${logs}-aside`, logs);
  },
  () => {
    rmSync(logs, { recursive: true });
    return () => mkdirSync(logs);
  },
  () => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
    return () => rmSync(path, { recursive: true, force: true });
  },
  () => {
    rmSync(path, { recursive: true, force: true });
    return () => undefined;
  },
];

/** Files and sockets of other parts of the program, opened and closed around the log's rotations. */
class Others {
  readonly #files: { descriptor: number; path: string }[] = [];
  readonly #sockets: Socket[] = [];
  readonly #received: Buffer[] = [];
  readonly #server: Server;
  #count = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      socket.on('data', (bytes) => this.#received.push(bytes));
      socket.on('error', () => undefined);
    });
  }

  static async start(): Promise<Others> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Others(server);
  }

  /** Opens a file and a socket; closes an older one of each. */
  async change(): Promise<void> {
    const file = join(dir, `other-${this.#count++}`);
    const descriptor = openSync(file, 'w+');
    writeSync(descriptor, CONTENT);
    this.#files.push({ descriptor, path: file });
    const { port } = this.#server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    this.#sockets.push(socket);
    if (this.#files.length > 6) this.#checkOldest();
    if (this.#sockets.length > 6) this.#sockets.shift()?.destroy();
  }

  #checkOldest(): void {
    const oldest = this.#files.shift();
    if (oldest === undefined) return;
    expect(fstatSync(oldest.descriptor).size).toBe(CONTENT.length);
    expect(readFileSync(oldest.path, 'utf8')).toBe(CONTENT);
    closeSync(oldest.descriptor);
  }

  /** Checks all that is open and closes it. */
  async end(): Promise<void> {
    while (this.#files.length > 0) this.#checkOldest();
    const ended = this.#sockets.map(
      (socket) => new Promise((resolve) => socket.once('close', resolve).end()),
    );
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#server.close();
    this.#server.unref();
    expect(this.#sockets.filter((socket) => socket.errored !== null)).toEqual([]);
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(ended);
    expect(Buffer.concat(this.#received).length).toBe(0);
  }
}

/** A small generator of pseudorandom numbers, so that a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

test('500 rotations with faults touch no descriptor of anybody else', async () => {
  const next = numbers(7);
  const others = await Others.start();
  const file = new LogFile({ path, maxSize: 64, maxFiles: 3 });
  for (let i = 0; i < ROTATIONS; i++) {
    const mend = FAULTS[next(FAULTS.length)]?.();
    file.write(`${'line '.repeat(20)}\n`);
    if (next(3) === 0) void file.reopen();
    await others.change();
    if (next(2) === 0) await file.flush();
    file.write('and more\n');
    await file.flush();
    mend?.();
  }
  await file.close();
  const descriptors = [0, 1, 2, 3].map((i) => openSync(join(dir, `late-${i}`), 'w+'));
  file.write('after the end\n');
  await file.close();
  for (const descriptor of descriptors) {
    expect(fstatSync(descriptor).size).toBe(0);
    closeSync(descriptor);
  }
  await others.end();
});
