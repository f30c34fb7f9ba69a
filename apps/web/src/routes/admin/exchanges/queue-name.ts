/** Which queue and search an address names. */
import { queues } from '@cambist/contract/desk';

export type QueueName = (typeof queues)[number];

export const queueNames: readonly QueueName[] = queues;

/** What is not a queue is the first one: the work list. */
export function readQueue(text: string | null): QueueName {
  return queueNames.find((name) => name === text) ?? 'to_review';
}

/** How many rows the queue shows before "load more", and how many one request may hold. */
export const rowsPerPage = 50;
export const mostPerRequest = 100;

/** The longest search that the service takes. */
export const searchLength = 100;

export function readSearch(text: string | null): string {
  return (text ?? '').trim().slice(0, searchLength);
}

/** `/admin/exchanges[/{number}]` with the queue and search that are not the usual. */
export function deskPath(number: string | null, queue: QueueName, search: string): string {
  const query = new URLSearchParams();
  if (queue !== 'to_review') query.set('queue', queue);
  if (search !== '') query.set('search', search);
  const path = number === null ? '/admin/exchanges' : `/admin/exchanges/${number}`;
  return query.size > 0 ? `${path}?${query}` : path;
}
