// A page that uses codec, crypto, pow, rpc-client and wallet-primitives, and writes what it found as JSON into the document.
import {
  fromHex,
  parseAddress,
  parseBlock,
  parsePrunedTransaction,
  toHex,
} from '@monero-node/codec';
import {
  createBackend,
  createVerificationPool,
  createWasmBackend,
  type BackendFallback,
  type ClsagProof,
} from '@monero-node/crypto';
import { createPowHasher } from '@monero-node/pow';
import { RpcClient } from '@monero-node/rpc-client';
import {
  accountAddress,
  accountFromSeed,
  decodeSeed,
  Scanner,
} from '@monero-node/wallet-primitives';
import { english } from '@monero-node/wallet-primitives/words/english';

declare const document: { body: { textContent: string } };
declare const location: { readonly search: string };

/** A ring signature as the page gets it: byte arrays in hex. */
interface HexClsag {
  readonly message: string;
  readonly ring: readonly { readonly key: string; readonly commitment: string }[];
  readonly pseudoOut: string;
  readonly keyImage: string;
  readonly s: readonly string[];
  readonly c1: string;
  readonly D: string;
}

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

function clsagOf(hex: HexClsag): ClsagProof {
  return {
    message: bytes(hex.message),
    ring: hex.ring.map(({ key, commitment }) => ({
      key: bytes(key),
      commitment: bytes(commitment),
    })),
    pseudoOut: bytes(hex.pseudoOut),
    keyImage: bytes(hex.keyImage),
    s: hex.s.map(bytes),
    c1: bytes(hex.c1),
    D: bytes(hex.D),
  };
}

/** Verifies a good and a changed signature, on this thread and in web workers. */
async function verify(good: ClsagProof): Promise<unknown> {
  const check = {
    kind: 'clsag',
    proofs: [good, { ...good, message: new Uint8Array(32) }],
  } as const;
  const fallbacks: BackendFallback[] = [];
  const onFallback = (fallback: BackendFallback) => fallbacks.push(fallback);
  const backend = createBackend('auto', { onFallback });
  const pool = createVerificationPool({ threads: 2 });
  const answers = {
    backend: backend.name,
    fallbacks,
    here: createWasmBackend().verifyClsag(check.proofs),
    poolBackend: pool.backendName,
    inWorkers: await pool.check(check),
  };
  await pool.close();
  return answers;
}

/** Computes a published test vector of RandomX, and the hash of a block in CryptoNight. */
async function hash(blob: Uint8Array): Promise<unknown> {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const reasons: string[] = [];
  const hasher = createPowHasher({ threads: 1, onFallback: (reason) => reasons.push(reason) });
  const randomx = await hasher.hash({
    kind: 'randomx',
    seedHash: utf8('test key 000'),
    blob: utf8('This is a test'),
  });
  const cryptonight = await hasher.hash({ kind: 'cryptonight', variant: 0, height: 0, blob });
  await hasher.close();
  return { randomx: toHex(randomx), cryptonight: toHex(cryptonight), reasons };
}

/** Asks a node for a block and decodes it. */
async function ask(url: string): Promise<unknown> {
  const client = new RpcClient({ url });
  const { nettype, height } = await client.rpc('get_info');
  const { blocks } = await client.binary('/get_blocks_by_height.bin', { heights: [0n] });
  client.close();
  const { id, block } = parseBlock(blocks[0]?.block ?? new Uint8Array(0));
  return { nettype, height: Number(height), id: toHex(id), outputs: block.minerTx.outputs.length };
}

/** A seed, and a transaction without its prunable part that pays it; bytes in hex. */
interface Payment {
  readonly words: string;
  readonly base: string;
  readonly prunableHash: string;
}

/** Reads a seed and its address, and finds the outputs of a payment. */
function scan({ words, base, prunableHash }: Payment): unknown {
  const backend = createBackend();
  const account = accountFromSeed(decodeSeed(words, [english]).secret);
  const address = parseAddress(accountAddress(account, { network: 'mainnet', backend }));
  const scanner = new Scanner({ account, backend, lookahead: { accounts: 4, addresses: 8 } });
  const transaction = parsePrunedTransaction(fromHex(base), fromHex(prunableHash));
  const [found] = scanner.scan([transaction]);
  return {
    kind: address.kind,
    spendKey: toHex(address.spendKey),
    outputs: found?.outputs.map(({ key, amount }) => [toHex(key), String(amount)]).sort(),
  };
}

async function run(): Promise<unknown> {
  const query = new URLSearchParams(location.search);
  const clsag = (await (await fetch('/clsag.json')).json()) as HexClsag;
  return {
    verify: await verify(clsagOf(clsag)),
    hash: await hash(bytes(query.get('blob') ?? '')),
    scan: scan((await (await fetch('/payment.json')).json()) as Payment),
    ask: await ask(query.get('node') ?? ''),
  };
}

void run()
  .then((result) => JSON.stringify(result))
  .catch((error: unknown) => JSON.stringify({ error: String(error) }))
  .then((text) => {
    document.body.textContent = text;
  });
