/** The parts of CryptoNight that have test vectors of their own. */

import { setUpAes } from './aes.ts';
import { blake256 } from './blake256.ts';
import { groestl256 } from './groestl.ts';
import { jh256, setUpJh } from './jh.ts';
import { setUpSkein, skein256 } from './skein.ts';

export { blake256, groestl256, jh256, skein256 };

export function setUp(): void {
  setUpAes();
  setUpJh();
  setUpSkein();
}

/** The address of 1 KiB for messages and hashes. */
export const DATA: usize = memory.data(1024, 16);

export function data(): usize {
  return DATA;
}
