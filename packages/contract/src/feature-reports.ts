/** What visitors miss or find broken: reported without a name, sorted by the desk. */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint, publicWrites } from './endpoint.ts';
import { Stamp } from './form-stamp.ts';
import { Cursor, cursorQuery, Id, One, Strict, Time, Version, Words } from './wire.ts';

/** A field that people do not see: what fills it is a machine, and its report waits among the suspected. */
export const Bait = Type.Optional(Type.String({ maxLength: 200 }));

export const createFeatureReport = endpoint({
  ...publicWrites,
  path: '/api/report-features',
  throttle: 'report',
  summary: 'Reports what is missing or broken. Nothing about the sender is kept.',
  status: 201,
  body: Strict({
    title: Words(1, 120),
    description: Words(1, 4000),
    /** The page it is about, as the visitor saw it in the address bar. */
    page: Type.Optional(Type.String({ maxLength: 300 })),
    website: Bait,
    stamp: Stamp,
  }),
  reply: One(Type.Object({ received: Type.Literal(true) })),
  refusals: ['site_closed'],
});

export const reportStates = ['new', 'planned', 'done', 'declined', 'suspected'] as const;
export type ReportState = (typeof reportStates)[number];

export const FeatureReport = Type.Object({
  id: Id,
  title: Type.String(),
  description: Type.String(),
  page: Type.String(),
  state: Type.Enum(reportStates),
  /** The desk's own words about it. */
  note: Type.String(),
  version: Type.Integer(),
  created_at: Time,
});
export type FeatureReport = Static<typeof FeatureReport>;

export const listFeatureReports = endpoint({
  ...adminReads('content'),
  path: '/api/admin/feature-reports',
  summary: 'Reports, the newest first; `q` looks in their words and the note.',
  query: Strict({
    ...cursorQuery,
    state: Type.Optional(Type.Enum(reportStates)),
    q: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Type.Object({
    ...Cursor(FeatureReport).properties,
    /** Of those that still wait for somebody. */
    counts: Type.Object({
      new: Type.Integer(),
      planned: Type.Integer(),
      suspected: Type.Integer(),
    }),
  }),
});

export const updateFeatureReport = endpoint({
  ...adminWrites('content'),
  method: 'PATCH',
  path: '/api/admin/feature-reports/{id}',
  summary: 'Sorts a report, or writes a note to it.',
  params: Strict({ id: Id }),
  body: Strict({
    version: Version,
    state: Type.Optional(Type.Enum(reportStates)),
    note: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  reply: One(FeatureReport),
  refusals: ['version_conflict'],
});

export const deleteFeatureReport = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/feature-reports/{id}',
  summary: 'Deletes a report for good.',
  status: 204,
  params: Strict({ id: Id }),
});
