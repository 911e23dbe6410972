import type { Socket } from 'node:net';
import { isPrivateAddress, plainAddress } from './addresses.ts';

/** Most connections per listener; see `RpcOptions`. */
export interface ConnectionLimits {
  readonly perPublicIp: number;
  readonly perPrivateIp: number;
  readonly total: number;
}

/** Counts open connections per address and turns away those over a limit. */
export class ConnectionCounter {
  readonly #limits: ConnectionLimits;
  readonly #perAddress = new Map<string, number>();
  #total = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Counts a connection until it closes; returns false, without counting, when there are too many. */
  admit(socket: Socket): boolean {
    const address = plainAddress(socket.remoteAddress ?? '');
    const open = this.#perAddress.get(address) ?? 0;
    const most = isPrivateAddress(address) ? this.#limits.perPrivateIp : this.#limits.perPublicIp;
    if (open >= most || this.#total >= this.#limits.total) return false;
    this.#perAddress.set(address, open + 1);
    this.#total++;
    socket.once('close', () => {
      this.#release(address);
    });
    return true;
  }

  #release(address: string): void {
    this.#total--;
    const left = (this.#perAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#perAddress.delete(address);
    else this.#perAddress.set(address, left);
  }
}
