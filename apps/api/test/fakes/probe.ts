/**
 * A feature with one route of each kind, to test guards and validation without a real feature.
 */
import { endpoint, type Scope } from '@cambist/contract/endpoint';
import { One, Strict, cursorQuery } from '@cambist/contract/wire';
import { PassThrough } from 'node:stream';
import { Type } from 'typebox';
import type { Feature } from '#platform/feature.ts';
import { Refusal } from '#kernel/refusal.ts';

const Note = One(
  Type.Object({ text: Type.String(), by: Type.Union([Type.String(), Type.Null()]) }),
);

const read = (scope: Scope, path: string) =>
  endpoint({
    method: 'GET',
    path,
    scope,
    ...(scope === 'admin' ? { permission: 'desk' as const } : {}),
    throttle: 'read',
    summary: 'A read.',
    status: 200,
    reply: Note,
  });

const write = (scope: Scope, path: string) =>
  endpoint({
    method: 'POST',
    path,
    scope,
    ...(scope === 'admin' ? { permission: 'desk' as const } : {}),
    throttle: 'report',
    summary: 'A write.',
    status: 201,
    body: Strict({
      text: Type.String({ minLength: 1, maxLength: 20 }),
      count: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
      nested: Type.Optional(Type.Array(Strict({ label: Type.String({ maxLength: 5 }) }))),
    }),
    reply: Note,
  });

const search = endpoint({
  method: 'GET',
  path: '/api/probe/search/{kind}',
  scope: 'public',
  throttle: 'read',
  summary: 'A read with a query.',
  status: 200,
  params: Strict({ kind: Type.String({ pattern: '^[a-z]{1,10}$' }) }),
  query: Strict({ ...cursorQuery, deep: Type.Optional(Type.Boolean()) }),
  reply: One(Type.Object({ query: Type.Record(Type.String(), Type.Unknown()) })),
});

const idempotentWrite = endpoint({
  method: 'POST',
  path: '/api/probe/once',
  scope: 'member',
  throttle: 'write',
  summary: 'A write that takes a key.',
  status: 200,
  idempotent: true,
  reply: One(Type.Object({ key: Type.String() })),
});

const upload = endpoint({
  method: 'POST',
  path: '/api/probe/files',
  scope: 'member',
  throttle: 'upload',
  summary: 'An upload.',
  status: 201,
  upload: 'proof',
  reply: One(Type.Object({ size: Type.Integer() })),
});

/** Errors that a handler throws, by name. */
const faults: Readonly<Record<string, () => unknown>> = {
  defect: () => new Error('select * from secrets where path = /var/lib/secret'),
  refusal: () => new Refusal(409, 'too_late', 'It is too late.', { internal: 'not for callers' }),
  full: () =>
    Object.assign(new Error('ENOSPC: /var/secret'), { code: 'ENOSPC', path: '/var/secret' }),
  readonly: () => Object.assign(new Error('EROFS: /var/secret'), { code: 'EROFS' }),
  unreachable: () => Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' }),
  text: () => 'not even an error',
};

const fault = endpoint({
  method: 'GET',
  path: '/api/probe/faults/{name}',
  scope: 'public',
  throttle: 'read',
  summary: 'Fails as asked.',
  status: 200,
  params: Strict({ name: Type.String() }),
});

const endless = endpoint({
  method: 'GET',
  path: '/api/probe/endless',
  scope: 'public',
  throttle: 'read',
  summary: 'Never ends.',
  status: 200,
  streams: true,
});

export const probe: Feature = {
  name: 'probe',
  routes(ways) {
    for (const scope of ['public', 'stateful', 'member', 'admin'] as const) {
      const path = scope === 'admin' ? '/api/admin/probe' : `/api/probe/${scope}`;
      ways[scope].serve(read(scope, path), async ({ actor }) => ({
        data: { text: scope, by: actor?.name ?? null },
      }));
      ways[scope].serve(write(scope, path), async ({ body, actor }) => ({
        data: { text: body.text, by: actor?.name ?? null, password_hash: 'never promised' },
      }));
    }
    ways.public.serve(search, async ({ query }) => ({ data: { query } }));
    ways.public.serve(fault, async ({ params }) => {
      throw faults[params.name]?.();
    });
    ways.public.serve(endless, async ({ reply }) => {
      const stream = new PassThrough();
      stream.write('begun');
      return reply.type('text/plain').send(stream);
    });
    ways.member.serve(idempotentWrite, async ({ idempotencyKey }) => ({
      status: 200,
      body: { data: { key: idempotencyKey } },
      replayed: idempotencyKey === 'known',
    }));
    ways.member.serve(upload, async ({ request }) => {
      const file = await request.file();
      return { data: { size: (await file?.toBuffer())?.byteLength ?? 0 } };
    });
  },
};
