/** Scheduled tasks, as admins see them: when each runs, what became of it, and "run now". */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Many, One, Strict, Time } from './wire.ts';

/** Longer than any task takes: the process of a run without an end has ended in the middle of it. */
export const TASK_LOST_AFTER_MS = 15 * 60 * 1000;

const nullableTime = Type.Union([Time, Type.Null()]);
const nullableString = Type.Union([Type.String(), Type.Null()]);

export const TaskRun = Type.Object({
  /** The moment that it was due; of a run by hand, the moment it was asked for. */
  slot: Time,
  started_at: Time,
  /** Null while it runs, and where its process ended meanwhile until the task is run again. */
  finished_at: nullableTime,
  outcome: Type.Union([Type.Enum(['done', 'failed'] as const), Type.Null()]),
  detail: nullableString,
  /** The admin who asked for it; null for the schedule. */
  asked_by: nullableString,
});
export type TaskRun = Static<typeof TaskRun>;

export const ScheduledTask = Type.Object({
  name: Type.String(),
  /** In UTC: `0 * * * *`. */
  cron: Type.String(),
  next_slot: nullableTime,
  /** The latest first, at most ten. */
  runs: Type.Array(TaskRun),
});
export type ScheduledTask = Static<typeof ScheduledTask>;

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/admin/tasks',
  scope: 'admin',
  permission: 'settings',
  throttle: 'read',
  summary: 'Every scheduled task with its last runs.',
  status: 200,
  reply: Many(ScheduledTask),
});

/** It runs behind the answer, which may come before its end: `GET /api/admin/tasks` tells of it. */
export const runTask = endpoint({
  method: 'POST',
  path: '/api/admin/tasks/{name}/runs',
  scope: 'admin',
  permission: 'settings',
  throttle: 'write',
  summary: 'Runs a scheduled task now; one at a time.',
  status: 202,
  params: Strict({ name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,79}$' }) }),
  reply: One(TaskRun),
  refusals: ['task_running'],
});
