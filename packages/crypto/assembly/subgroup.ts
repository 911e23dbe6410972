import { addSmallTerm, begin, evaluate } from './combination.ts';
import { allocate } from './memory.ts';
import { isIdentity } from './point.ts';
import { decodePoint } from './point-codec.ts';
import { L0, L1, L3 } from './scalar-words.ts';
import { fillSmallTable, SMALL_TABLE_SIZE } from './tables.ts';

/** l as a scalar that is not reduced. */
const ORDER: usize = memory.data(32, 16);
const POINT: usize = memory.data(288, 16);
let table: usize = 0;

/** Reserves memory. */
export function setUpSubgroup(): void {
  table = allocate(SMALL_TABLE_SIZE);
  store<u64>(ORDER, L0, 0);
  store<u64>(ORDER, L1, 8);
  store<u64>(ORDER, 0, 16);
  store<u64>(ORDER, L3, 24);
}

/** True if the 32 bytes decode to a point other than the identity with l·P the identity. */
export function isValidKeyImage(bytes: usize): bool {
  if (!decodePoint(POINT, bytes) || isIdentity(POINT)) return false;
  fillSmallTable(table, POINT);
  begin();
  addSmallTerm(ORDER, table);
  evaluate(POINT);
  return isIdentity(POINT);
}
