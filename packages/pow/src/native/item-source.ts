import { Yielder } from '@monero-node/base';
import { BlakeGenerator, MAX_KEY_SIZE } from '../randomx-wasm/blake-generator.ts';
import { reciprocal } from '../randomx-wasm/reciprocal.ts';
import { generateSuperscalarPatiently, PROGRAMS } from '../randomx-wasm/superscalar-generator.ts';
import {
  OPERATIONS,
  type SuperscalarInstruction,
  type SuperscalarProgram,
} from '../randomx-wasm/superscalar-instructions.ts';
import type { RandomxAddon } from './addon.ts';

const HEADER_SIZE = 3;
const INSTRUCTION_SIZE = 12;

/** What the items of a dataset are made with. */
export interface ItemSource {
  /** A name of `RandomxAddon.itemPaths`; empty for librandomx. */
  readonly path: string;
  /** The programs of the seed, as native/items.h describes them; empty for librandomx. */
  readonly programs: Uint8Array;
}

const LIBRANDOMX: ItemSource = { path: '', programs: new Uint8Array(0) };

/** Returns the fastest source of the dataset items of a seed (32 bytes). The event loop has its turns meanwhile. */
export async function itemSource(
  addon: Pick<RandomxAddon, 'itemPaths'>,
  seedHash: Uint8Array,
): Promise<ItemSource> {
  const path = addon.itemPaths()[0];
  if (path === undefined || seedHash.length > MAX_KEY_SIZE) return LIBRANDOMX;
  const random = new BlakeGenerator(seedHash);
  const yielder = new Yielder();
  const programs: SuperscalarProgram[] = [];
  while (programs.length < PROGRAMS) {
    programs.push(await generateSuperscalarPatiently(random, yielder));
  }
  return { path, programs: encodePrograms(programs) };
}

/** Returns programs of SuperscalarHash, 3 bytes and 12 for each instruction, in the form that native/items.h describes. */
function encodePrograms(programs: readonly SuperscalarProgram[]): Uint8Array {
  const sizes = programs.map((each) => HEADER_SIZE + INSTRUCTION_SIZE * each.instructions.length);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { instructions, addressRegister } of programs) {
    view.setUint16(at, instructions.length, true);
    view.setUint8(at + 2, addressRegister);
    at += HEADER_SIZE;
    for (const instruction of instructions) {
      view.setUint8(at, OPERATIONS[instruction.operation]);
      view.setUint8(at + 1, instruction.destination);
      view.setUint8(at + 2, instruction.source);
      view.setUint8(at + 3, shiftOf(instruction));
      view.setBigUint64(at + 4, BigInt.asUintN(64, constantOf(instruction)), true);
      at += INSTRUCTION_SIZE;
    }
  }
  return bytes;
}

function shiftOf({ operation, mod, immediate }: SuperscalarInstruction): number {
  if (operation === 'IADD_RS') return (mod >> 2) % 4;
  return operation === 'IROR_C' ? immediate : 0;
}

/** Returns the sign-extended constant, or the reciprocal of one. */
function constantOf({ operation, immediate }: SuperscalarInstruction): bigint {
  return operation === 'IMUL_RCP' ? reciprocal(immediate) : BigInt(immediate | 0);
}
