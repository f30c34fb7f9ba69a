/** The queue of letters, the job of one of them, and what their secrets are sealed for. */
import type { Id } from '#kernel/id.ts';
import type { KeyedJob } from '#platform/jobs.ts';

export const LETTERS = 'letters';
export const SEAL = 'letters';

export const jobOf = (id: Id): KeyedJob => ({ key: id, data: { id } });
