export { type FcmpPlusPlus, verifyFcmpPlusPlus, verifyFcmpPlusPlusBatch } from './verify.ts';
