/**
 * Thrown inside this package by whatever finds that bytes of a proof are wrong; the verifier turns it into `false`. Functions
 * on trees let it out: to callers it is a RangeError.
 */
export class RefusedProof extends RangeError {
  override readonly name = 'RefusedProof';
}
