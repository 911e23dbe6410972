// src/ and dist/ are both next to dist/assembly.
import { wasmBytes as argon2dBytes } from '../../dist/assembly/argon2d-wasm.js';
import { wasmBytes as machineBytes } from '../../dist/assembly/randomx-wasm.js';
import { compileModule, type WasmModule } from '../webassembly.ts';

/** Compiles assembly/randomx/argon2d.ts, which fills caches. Throws PowUnavailableError ('no-wasm'). */
export const compileArgon2d = (): WasmModule => compileModule(argon2dBytes());

/** Compiles assembly/randomx/index.ts, the virtual machine. Throws PowUnavailableError ('no-wasm'). */
export const compileMachine = (): WasmModule => compileModule(machineBytes());
