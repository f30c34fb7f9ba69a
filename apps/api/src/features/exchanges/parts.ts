/** What belongs to an exchange beside its row; an action reads it once, for its email and its reply. */
import type { Db, Tx } from '#platform/db/database.ts';
import { proofsOf, type Proof } from '#features/proofs/proofs.ts';
import { noRecords, type Message, type Records } from './records.ts';
import { findCustomer, listEvents, type CustomerRow, type Exchange } from './store/exchanges.ts';
import { findRecords, listMessages } from './store/records.ts';

/** Lists are oldest first. */
export interface Parts {
  readonly proofs: readonly Proof[];
  readonly records: Records;
  readonly events: Awaited<ReturnType<typeof listEvents>>;
  readonly messages: readonly Message[];
  readonly customer: CustomerRow;
}

export const partsOfNew = (
  customer: CustomerRow,
  event: Omit<Parts['events'][number], 'actor'>,
): Parts => ({
  proofs: [],
  records: noRecords,
  events: [{ ...event, actor: customer.name }],
  messages: [],
  customer,
});

/** `known`: after an action, which has read them. */
export async function readParts(
  tx: Db | Tx,
  { id, user_id }: Exchange,
  known?: readonly Proof[],
): Promise<Parts> {
  // In one round trip.
  const [proofs, records, events, messages, customer] = await Promise.all([
    known ?? proofsOf(tx, id),
    findRecords(tx, id),
    listEvents(tx, id),
    listMessages(tx, id),
    findCustomer(tx, user_id),
  ]);
  return { proofs, records, events, messages, customer };
}
