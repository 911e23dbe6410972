/** Thrown inside this package by whatever finds that a proof is wrong; the verifier turns it into `false`. */
export class RefusedProof extends Error {
  override readonly name = 'RefusedProof';
}
