/** The chain of a seed cannot be had; the message is for the operator. What was received stays for the next attempt. */
export class SeedError extends Error {
  override readonly name: string = 'SeedError';
}

/** A source sent what it must not; nothing that it sent is kept. */
export class SeedRefusedError extends SeedError {
  override readonly name = 'SeedRefusedError';
}

/** The source no longer has the image that a manifest is about. Another manifest may be had. */
export class SeedGoneError extends SeedError {
  override readonly name = 'SeedGoneError';
}
