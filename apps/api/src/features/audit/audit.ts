/**
 * The audit log: who did what to what, when and from where. Append-only, which
 * the database enforces; written in the transaction of what it tells about.
 */
export { differences } from './differences.ts';
export { eventsOf } from './log.ts';
export { record } from './record.ts';
export { openRefusals } from './refusals.ts';
