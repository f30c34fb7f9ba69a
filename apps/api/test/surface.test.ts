/**
 * Every way into the service, listed and tried. A new route shows up as a
 * difference from `surface.txt`, so that nobody opens one by accident; run with
 * UPDATE_SURFACE=1 to accept it.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { settingSchemas } from '@cambist/contract/settings';
import { anotherPerson, fillPath, permissionsFor, type Endpoint } from '@cambist/contract/endpoint';
import { guards } from '#features/exchanges/guards.ts';
import { actions } from '#features/exchanges/action-table.ts';
import { compileSerializer, compileValidator } from '#platform/http/compilers.ts';
import type { JsonLimits } from '#platform/http/strict-json.ts';
import { BODY_LIMITS } from '#platform/http/validation.ts';
import type { Client, Json } from './client.ts';
import { startTestApi } from './harness.ts';

const LIST = join(import.meta.dirname, 'surface.txt');
const SOURCE = join(import.meta.dirname, '../src');
/** Served without a promise in the contract: operation, description, and the admin paths that lead nowhere. */
const UNPROMISED = [
  '/api/admin',
  '/api/admin/',
  '/api/admin/*',
  '/api/docs',
  '/api/openapi.json',
  '/health/live',
  '/health/ready',
];

const api = await startTestApi({ after });
await api.app.ready();
const endpoints = api.app.registered
  .filter(({ methods }) => !methods.includes('HEAD'))
  .flatMap(({ endpoint }) => endpoint ?? []);

describe('the surface', () => {
  it('is what surface.txt says', () => {
    const lines = endpoints
      .map((endpoint) => {
        const { method, path, scope, permission, throttle, status } = endpoint;
        const { idempotent, upload, longText, streams, fresh } = endpoint;
        const key = { idempotent: idempotent === true, heeds_key: idempotent === 'where_sent' };
        const marks = Object.entries({ ...key, upload, longText, streams, fresh });
        const marked = marks.flatMap(([mark, value]) => (value ? [mark] : []));
        const who =
          permission === undefined ? scope : `${scope}:${permissionsFor(endpoint).join('|')}`;
        return [path, method, who, throttle, status, ...marked].join(' ');
      })
      .toSorted();
    const text = `${lines.join('\n')}\n`;
    if (process.env['UPDATE_SURFACE']) writeFileSync(LIST, text);
    assert.equal(text, readFileSync(LIST, 'utf8'));
  });

  it('has no route that the contract does not promise', () => {
    const unpromised = api.app.registered.filter(({ endpoint }) => endpoint === null);
    assert.deepEqual([...new Set(unpromised.map(({ url }) => url))].toSorted(), UNPROMISED);
  });

  it('has schemas that can be compiled', () => {
    for (const { path, params, query, body, reply } of endpoints) {
      const inputs = [params, query, body].filter((schema) => schema !== undefined);
      assert.doesNotThrow(() => {
        inputs.forEach(compileValidator);
        if (reply !== undefined) compileSerializer(reply);
      }, path);
    }
  });

  it('takes no body beyond what the parser lets through', () => {
    const schemas: [string, object][] = Object.entries(settingSchemas);
    for (const { method, path, body } of endpoints) {
      if (body) schemas.push([`${method} ${path}`, body]);
    }
    for (const [name, schema] of schemas) {
      const { keys, items, parts } = largestOf(schema);
      assert.ok(keys <= BODY_LIMITS.keys, `${name}: ${keys} keys`);
      // Room for a list that is a little too long, which is answered by its field.
      assert.ok(items * 1.2 <= BODY_LIMITS.items, `${name}: ${items} items`);
      assert.ok(parts + WRAPPING_PARTS <= BODY_LIMITS.parts, `${name}: ${parts} parts`);
    }
  });

  it('has its routes where the contract puts them, admins’ under /api/admin/', () => {
    for (const { methods, url, endpoint } of api.app.registered) {
      if (!endpoint) continue;
      assert.equal(url, endpoint.path.replace(/\{(\w+)\}/g, ':$1'));
      assert.ok(methods.every((method) => method === endpoint.method || method === 'HEAD'));
      assert.equal(endpoint.scope === 'admin', url.startsWith('/api/admin/'), url);
      assert.ok(endpoint.summary.endsWith('.'), url);
    }
  });
});

/** What `PUT /api/admin/settings/{slug}` puts around a value. */
const WRAPPING_PARTS = 4;

/** The words of a JSON schema that bound what fits it. */
interface Sized {
  readonly properties?: Readonly<Record<string, Sized>>;
  readonly patternProperties?: Readonly<Record<string, Sized>>;
  readonly maxProperties?: number;
  readonly items?: Sized;
  readonly maxItems?: number;
  readonly anyOf?: readonly Sized[];
  readonly type?: string;
}

/** The most keys, items and both together that a value may have. @throws where nothing bounds them */
function largestOf(schema: object): JsonLimits {
  const {
    properties = {},
    patternProperties,
    maxProperties,
    items,
    maxItems,
    anyOf,
    type,
  } = schema as Sized;
  const inner = [...Object.values(properties), ...(anyOf ?? [])].map(largestOf);
  const most = { keys: 0, items: 0, parts: 0 };
  for (const part of inner) {
    most.keys = Math.max(most.keys, part.keys);
    most.items = Math.max(most.items, part.items);
    most.parts = anyOf ? Math.max(most.parts, part.parts) : most.parts + part.parts;
  }
  if (type === 'object') {
    // Settings by their slug's own schema, and what an authenticator answers, are open here: the parser bounds them.
    const [[pattern, named] = []] = Object.entries(patternProperties ?? {});
    if (pattern === '^.*$') return most;
    const own = Object.keys(properties).length + (named === undefined ? 0 : Number(maxProperties));
    most.keys = Math.max(most.keys, own);
    most.parts += Math.max(1, own);
  }
  if (type === 'array') {
    assert.ok(items !== undefined && maxItems !== undefined, 'a list without an end');
    const each = largestOf(items);
    most.keys = Math.max(most.keys, each.keys);
    most.items = Math.max(most.items, each.items, maxItems);
    most.parts += maxItems + maxItems * each.parts;
  }
  return most;
}

/** Any value that may stand in a path; guards must not care. */
const PARAMS = new Proxy<Record<string, string>>({}, { get: () => 'x' });

describe('the guards of every route', async () => {
  const guest = api.client();
  const { client: member } = await api.asMember();
  const { client: admin } = await api.asAdmin();

  const ask = (client: Client, { method, path }: Endpoint, headers = {}, as = method as string) =>
    client.send(as as Endpoint['method'], fillPath(path, PARAMS), undefined, { headers });

  for (const endpoint of endpoints) {
    const { method, path, scope } = endpoint;
    const guarded = scope === 'member' || scope === 'admin';
    it(`hold at ${method} ${path}`, async () => {
      if (scope !== 'public' && method !== 'GET') {
        for (const client of [guest, member, admin]) {
          assert.equal((await ask(client, endpoint, { 'x-xsrf-token': 'x' })).status, 419);
        }
      }
      if (guarded) {
        assert.equal((await ask(guest, endpoint)).status, 401);
        const foreign = { origin: 'http://evil.test' };
        assert.equal((await ask(admin, endpoint, foreign)).status, method === 'GET' ? 401 : 419);
        if (method === 'GET') assert.equal((await ask(guest, endpoint, {}, 'HEAD')).status, 401);
      } else {
        // A stream has no end.
        const asked = endpoint.streams ? ask(guest, endpoint, {}, 'HEAD') : ask(guest, endpoint);
        assert.ok(![401, 403, 419].includes((await asked).status));
      }
      if (scope === 'admin') {
        assert.equal((await ask(member, endpoint)).status, 403);
        if (method === 'GET') assert.equal((await ask(member, endpoint, {}, 'HEAD')).status, 403);
      }
    });
  }

  it('let no admin pass without the permission that the route names', async () => {
    const { client: bare } = await api.asAdmin({ permissions: [] });
    for (const endpoint of endpoints.filter(({ scope }) => scope === 'admin')) {
      const { status, body } = await ask(bare, endpoint);
      assert.deepEqual([status, body.code], [403, 'permission_missing'], endpoint.path);
    }
  });

  it('let nobody see which admin paths exist', async () => {
    for (const path of ['/api/admin', '/api/admin/', '/api/admin/nothing/at/all']) {
      assert.equal((await guest.get(path)).status, 401);
      assert.equal((await member.get(path)).status, 403);
      assert.equal((await admin.get(path)).status, 404);
    }
  });
});

/** The status of each code, as the source throws it; those of the exchange's table are conflicts. */
function thrownStatuses(): Map<string, string> {
  const conflicts = [
    anotherPerson,
    ...Object.values(guards).map(({ code }) => code),
    ...actions.flatMap((row) => ('conflict' in row ? row.conflict : [])),
  ];
  const thrown = new Map(conflicts.map((code) => [code, '409']));
  for (const file of globSync('**/*.ts', { cwd: SOURCE, exclude: ['**/*.test.ts'] })) {
    const text = readFileSync(join(SOURCE, file), 'utf8');
    for (const [, status = '', code = ''] of text.matchAll(/new Refusal\(\s*(\d+),\s*'(\w+)'/g)) {
      thrown.set(code, status);
    }
  }
  return thrown;
}

const codesIn = (description: string) => /Codes: (.+)\.$/.exec(description)?.[1]?.split(', ') ?? [];

describe('the description', () => {
  it('is OpenAPI 3.1 of every promise, with its guards and refusals', async () => {
    const answer = await api.client().get('/api/openapi.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.body.openapi, '3.1.0');
    for (const { method, path } of endpoints) {
      assert.ok(answer.body.paths[path]?.[method.toLowerCase()], `${method} ${path}`);
    }
    const signIn = answer.body.paths['/api/auth/signin'].post;
    assert.deepEqual(signIn.requestBody.content['application/json'].schema.required, [
      'email',
      'password',
    ]);
    const statuses = ['200', '409', '413', '415', '419', '422', '429'];
    assert.deepEqual(Object.keys(signIn.responses), statuses);
    assert.match(signIn.responses['409'].description, /signed_in_as_another/);
    assert.ok(signIn.parameters.some(({ name }: { name: string }) => name === 'X-Signed-In-As'));
    assert.deepEqual(signIn.security, [{ session: [], token: [] }]);
  });

  it('tells each refusal under the status with which it comes', async () => {
    const { paths } = (await api.client().get('/api/openapi.json')).body;
    const thrown = thrownStatuses();
    for (const { method, path, fresh, refusals = [] } of endpoints) {
      const answers = Object.entries<Json>(paths[path][method.toLowerCase()].responses);
      for (const code of [...refusals, ...(fresh ? ['confirmation_required'] : [])]) {
        const described = answers.filter(([, { description }]) =>
          codesIn(description).includes(code),
        );
        assert.deepEqual(
          described.map(([status]) => status),
          [thrown.get(code)],
          `${method} ${path} ${code}`,
        );
      }
    }
    const { 409: conflict, 503: closed } = paths['/api/contact-submissions'].post.responses;
    assert.deepEqual([conflict, codesIn(closed.description)], [undefined, ['site_closed']]);
  });

  it('is a page without scripts or foreign assets', async () => {
    const { status, text, headers } = await api.client().get('/api/docs');
    assert.equal(status, 200);
    for (const { method, path } of endpoints) assert.ok(text.includes(`${method} ${path}`), path);
    assert.doesNotMatch(text, /<script|https?:\/\//);
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-/,
    );
  });
});
