/** Scheduled tasks: schedule, runs, and "run now". */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { Many, nullable, One, Strict, Time } from './wire.ts';

/** Longer than any task takes: a run without an end after this time was lost with its process. */
export const TASK_LOST_AFTER_MS = 15 * 60 * 1000;

export const TaskRun = Type.Object({
  /** When it was due, or requested. */
  slot: Time,
  started_at: Time,
  /** Null while it runs; for a lost run until the next one. */
  finished_at: nullable(Time),
  outcome: Type.Union([Type.Enum(['done', 'failed'] as const), Type.Null()]),
  detail: nullable(Type.String()),
  /** The admin who requested it; null for the schedule. */
  asked_by: nullable(Type.String()),
});
export type TaskRun = Static<typeof TaskRun>;

export const ScheduledTask = Type.Object({
  name: Type.String(),
  /** In UTC: `0 * * * *`. */
  cron: Type.String(),
  next_slot: nullable(Time),
  /** The latest first, at most ten. */
  runs: Type.Array(TaskRun),
});
export type ScheduledTask = Static<typeof ScheduledTask>;

export const listTasks = endpoint({
  ...adminReads('settings'),
  path: '/api/admin/tasks',
  summary: 'Every scheduled task with its last runs.',
  reply: Many(ScheduledTask),
});

/** It runs in the background: see `GET /api/admin/tasks`. */
export const runTask = endpoint({
  ...adminWrites('settings'),
  path: '/api/admin/tasks/{name}/runs',
  summary: 'Runs a scheduled task now; one at a time.',
  status: 202,
  params: Strict({ name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,79}$' }) }),
  reply: One(TaskRun),
  refusals: ['task_running'],
});
