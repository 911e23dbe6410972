// A process that attacks until it is killed. The parent sends the id of the attack and its target, and may limit the
// number of attackers and what they send; this sends back its counts.
import { constants, setPriority } from 'node:os';
import { setInterval } from 'node:timers';
import { ATTACKS } from './attacks/index.mjs';
import { limitCrowds } from './crowd.mjs';
import { limitRate } from './pace.mjs';

/**
 * @import { Counts } from './attack.d.ts'
 * @import { Order } from './start-attacker.mjs'
 */

const REPORT_MS = 250;

process.once('message', (/** @type {Order} */ { id, target, attackers, bytesPerSecond }) => {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  if (attackers !== undefined) limitCrowds(attackers);
  if (bytesPerSecond !== undefined) limitRate(bytesPerSecond);
  /** @type {Counts} */
  const counts = {};
  setInterval(() => process.send?.(counts), REPORT_MS);
  void ATTACKS.find((attack) => attack.id === id)?.run?.(target, counts);
});
process.on('disconnect', () => process.exit());
