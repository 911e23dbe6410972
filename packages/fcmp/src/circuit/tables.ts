import { type Affine, toWei25519, WEI25519 } from '../curves/ed25519.ts';
import {
  edGenerators,
  type Generators,
  HELIOS_GENERATORS,
  SELENE_GENERATORS,
} from '../curves/generators.ts';
import { doublings } from './discrete-log.ts';
import { CYCLE_BITS, ED_BITS } from './layout.ts';

/** For each generator of which multiples are claimed: it, twice it, four times it and so on. */
export interface GeneratorTables {
  readonly G: readonly Affine[];
  readonly T: readonly Affine[];
  readonly U: readonly Affine[];
  readonly V: readonly Affine[];
  /** h of Helios. */
  readonly helios: readonly Affine[];
  /** h of Selene. */
  readonly selene: readonly Affine[];
}

const ofH = ({ curve, h }: Generators): Affine[] => doublings(h.toAffine(), curve, CYCLE_BITS);

let kept: GeneratorTables | undefined;

/** Returns the tables, which are made once: 1,522 points, about 0.2 MB. */
export function generatorTables(): GeneratorTables {
  if (kept === undefined) {
    const { G, T, U, V } = edGenerators();
    const [tableG, tableT, tableU, tableV] = [G, T, U, V].map((point) =>
      doublings(toWei25519(point), WEI25519, ED_BITS),
    ) as [Affine[], Affine[], Affine[], Affine[]];
    kept = {
      G: tableG,
      T: tableT,
      U: tableU,
      V: tableV,
      helios: ofH(HELIOS_GENERATORS),
      selene: ofH(SELENE_GENERATORS),
    };
  }
  return kept;
}
