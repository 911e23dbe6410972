const ZERO = new Uint8Array(32);

/** Returns a·A + b·B for each sum, 32 bytes; `b` is 0 where absent. Throws Error for something that is no point. */
export function addMultiples(backend, sums) {
  const whole = sums.map(({ a, A, b = ZERO, B = A }) => ({ a, A, b, B }));
  const points = backend.addMultiples(whole);
  if (points.includes(undefined)) throw new Error('a sum of what is no point or scalar');
  return points;
}
