/** Which queue and search an address names. */
import { queues } from '@cambist/contract/desk';
import { listPath } from '#lib/console/list-query.ts';

export type QueueName = (typeof queues)[number];

export const queueNames: readonly QueueName[] = queues;

/** What is not a queue is the first one: the work list. */
export function readQueue(text: string | null): QueueName {
  return queueNames.find((name) => name === text) ?? 'to_review';
}

/** How many rows the queue shows before "load more", and how many one request may hold. */
export const rowsPerPage = 50;
export const mostPerRequest = 100;

/** `/admin/exchanges[/{number}]` with the queue and search that are not the usual. */
export function deskPath(number: string | null, queue: QueueName, search: string): string {
  const path = number === null ? '/admin/exchanges' : `/admin/exchanges/${number}`;
  return listPath(path, { queue: queue === 'to_review' ? undefined : queue, search });
}
