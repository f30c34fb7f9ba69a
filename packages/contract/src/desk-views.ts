/** What operators do with the filters of the desk's list: export it, and name them for themselves. */
import { Type, type Static } from 'typebox';
import { deskFilters } from './desk.ts';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { Id, One, Slug, Strict, Words } from './wire.ts';

const { search: _search, ...filters } = deskFilters;
/** Without the search, which would keep a customer's name or address. */
export const DeskViewFilters = Strict(filters);
export type DeskViewFilters = Static<typeof DeskViewFilters>;

export const maxDeskViews = 20;
const Name = Words(1, 60);

export const DeskView = Type.Object({ id: Id, name: Type.String(), filters: DeskViewFilters });
export type DeskView = Static<typeof DeskView>;

export const listDeskViews = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/exchange-views',
  summary: "The operator's own views of the list, by name, with what the list can be filtered by.",
  reply: Type.Object({
    data: Type.Array(DeskView),
    pairs: Type.Array(Type.Object({ slug: Slug, send: Type.String(), receive: Type.String() })),
    /** With the permission now; the list can be filtered by others too. */
    operators: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  }),
});

/** 422 on `name` where the operator has a view of this name. */
export const addDeskView = endpoint({
  ...adminWrites('desk'),
  path: '/api/admin/exchange-views',
  summary: 'Names filters of the list; at most 20 for an operator.',
  status: 201,
  body: Strict({ name: Name, filters: DeskViewFilters }),
  reply: One(DeskView),
  refusals: ['too_many_views'],
});

export const renameDeskView = endpoint({
  ...adminWrites('desk'),
  method: 'PATCH',
  path: '/api/admin/exchange-views/{id}',
  summary: 'Renames a view of the operator.',
  params: Strict({ id: Id }),
  body: Strict({ name: Name }),
  reply: One(DeskView),
});

export const deleteDeskView = endpoint({
  ...adminWrites('desk'),
  method: 'DELETE',
  path: '/api/admin/exchange-views/{id}',
  summary: 'Deletes a view of the operator.',
  status: 204,
  params: Strict({ id: Id }),
});

/** `text/csv`, without a reply schema; read while it is sent, without a limit. */
export const exportDeskExchanges = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/exchanges.csv',
  fresh: true,
  summary:
    'The same exchanges with references and operators as CSV, safe from what spreadsheets take for formulas.',
  query: Strict(deskFilters),
  streams: true,
  refusals: ['confirmation_required'],
});
