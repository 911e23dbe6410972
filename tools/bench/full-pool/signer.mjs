// Signs many transactions at a time. All outputs of the chain are the signer's own and have the same amount and mask, so
// one side of every link of a ring signature is a multiple of G, and the links of many signatures are computed together
// by the native code.
import { addMultiples } from './sums.mjs';

/**
 * Signs CLSAGs, all of one ring size.
 *
 * @param {{ kit: object, backend: object, scalars: object }} tools
 * @param {{ message: Uint8Array, ring: { key: Uint8Array, commitment: Uint8Array, secret: bigint, hash: Uint8Array }[],
 *   own: number, pseudoOut: Uint8Array, keyImage: Uint8Array, maskDifference: bigint }[]} jobs
 * @returns {{ s: Uint8Array[], c1: Uint8Array, D: Uint8Array }[]}
 */
export function signAll({ kit, backend, scalars }, jobs) {
  const { Fn, encodeScalar, INV_EIGHT } = kit;
  const size = jobs[0].ring.length;
  const eighths = addMultiples(
    backend,
    jobs.map(({ ring, own, maskDifference }) => ({
      a: encodeScalar(Fn.mul(maskDifference, INV_EIGHT)),
      A: ring[own].hash,
    })),
  );
  const states = jobs.map((job, i) => begin(kit, scalars, job, eighths[i]));
  for (let step = 0; step < size; step++) {
    const sums = states.flatMap((state) => link(kit, state, step));
    const points = addMultiples(backend, sums);
    for (const [i, state] of states.entries()) {
      const [left, right] = [points[2 * i], points[2 * i + 1]];
      state.transcript.set(left, state.transcript.length - 64);
      state.transcript.set(right, state.transcript.length - 32);
      state.challenge = kit.reduceScalar(backend.keccak256(state.transcript));
      if ((state.job.own + step + 1) % size === 0) state.c1 = state.challenge;
    }
  }
  return states.map((state) => finish(kit, state));
}

function begin({ Fn, aggregationCoefficients }, scalars, job, D) {
  const { ring, pseudoOut, keyImage, maskDifference, own, message } = job;
  const { muP, muC } = aggregationCoefficients({ ring, pseudoOut, keyImage, D });
  const secret = Fn.add(Fn.mul(muP, ring[own].secret), Fn.mul(muC, maskDifference));
  return {
    ...{ job, D, muP, secret },
    /** The part of a link's secret that all members share: their commitments and masks are equal. */
    shared: Fn.mul(muC, maskDifference),
    nonce: scalars.scalar(),
    s: ring.map(() => scalars.scalar()),
    transcript: transcriptOf(ring, pseudoOut, message),
    challenge: 0n,
    c1: 0n,
  };
}

/** The bytes that a challenge is the hash of, with room for two points at the end. */
function transcriptOf(ring, pseudoOut, message) {
  const domain = Buffer.alloc(32);
  domain.write('CLSAG_round');
  const keys = ring.map(({ key }) => key);
  const commitments = ring.map(({ commitment }) => commitment);
  return Buffer.concat([domain, ...keys, ...commitments, pseudoOut, message, Buffer.alloc(64)]);
}

/** The two sums of a link: at the signer's own place those of the nonce, elsewhere those that verify. */
function link({ Fn, G, encodeScalar }, { job, nonce, s, challenge, muP, secret, shared }, step) {
  const { ring, own } = job;
  const at = (own + step) % ring.length;
  const ownHash = ring[own].hash;
  const base = G.toBytes();
  if (step === 0)
    return [nonce, nonce].map((a, i) => ({ a: encodeScalar(a), A: i ? ownHash : base }));
  const keySecret = Fn.add(Fn.mul(muP, ring[at].secret), shared);
  return [
    { a: encodeScalar(Fn.add(s[at], Fn.mul(challenge, keySecret))), A: base },
    {
      ...{ a: encodeScalar(s[at]), A: ring[at].hash },
      ...{ b: encodeScalar(Fn.mul(challenge, secret)), B: ownHash },
    },
  ];
}

function finish({ Fn, encodeScalar }, { job, s, c1, challenge, nonce, secret, D }) {
  s[job.own] = Fn.sub(nonce, Fn.mul(challenge, secret));
  return { s: s.map(encodeScalar), c1: encodeScalar(c1), D };
}
