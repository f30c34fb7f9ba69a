/** OpenAPI 3.1 from the objects of the contract, whose schemas are JSON Schema already. */
import { anotherPerson, personHeader, type Endpoint, type Scope } from '@cambist/contract/endpoint';
import { ErrorBody } from '@cambist/contract/wire';
import type { TSchema } from 'typebox';
import { isSafe } from '#platform/http/stateful.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `Cookies carry the session. A client asks \`GET /stateful/csrf-cookie\` first and sends \
the value of the cookie \`XSRF-TOKEN\` as the header \`X-XSRF-TOKEN\`, and the frontend's \`Origin\`, with every write that is not public. \
A write may name in \`${personHeader}\` the id of the user it is meant for; the session of another user refuses it (409). \
Amounts and rates are decimal strings, times ISO 8601 in UTC.`;

/** In the order in which they are checked. */
const REFUSALS: Readonly<Record<number, string>> = {
  413: 'The body is too large.',
  419: 'CSRF token mismatch.',
  401: 'Unauthenticated.',
  403: 'Not allowed, or not before a fresh confirmation or a confirmed address; `code` says which.',
  404: 'Not found, or not yours.',
  415: 'Another content type than this one takes.',
  422: 'What was sent is not valid; `errors` has the messages by field.',
  429: 'Too Many Attempts. `Retry-After` says when to come back.',
  409: 'Refused by a rule; `code` names it.',
  503: 'Not taken for now; `code` says why, and `Retry-After`, where it is known, when to come back.',
};

/** Codes of refusals whose status is not 409. */
const STATUS_OF: Readonly<Record<string, number>> = {
  unauthenticated: 401,
  beyond_own_permissions: 403,
  confirmation_required: 403,
  email_unverified: 403,
  permission_missing: 403,
  not_found: 404,
  passkey_refused: 422,
  reserve_exceeded: 422,
  too_many_emails: 429,
  too_many_streams: 429,
  too_many_uploads: 429,
  ledger_unbalanced: 503,
  rates_stale: 503,
  site_closed: 503,
  storage_full: 503,
};

/** Whether it may name the user that its session is expected to have. */
function takesPerson({ method, scope }: Endpoint): boolean {
  return !isSafe(method) && scope !== 'public';
}

function codesOf(endpoint: Endpoint): Map<number, string[]> {
  const codes = [
    ...(endpoint.refusals ?? []),
    ...(endpoint.fresh ? ['confirmation_required'] : []),
    ...(endpoint.upload !== undefined ? ['storage_full'] : []),
    ...(takesPerson(endpoint) ? [anotherPerson] : []),
  ];
  return Map.groupBy(new Set(codes), (code) => STATUS_OF[code] ?? 409);
}

export function refusalStatuses(endpoint: Endpoint): number[] {
  const { scope, body, query, params, upload, idempotent } = endpoint;
  const takesBody = body !== undefined || upload !== undefined;
  const statuses = [
    ...(takesBody ? [413] : []),
    ...(takesPerson(endpoint) ? [419] : []),
    ...(scope === 'member' || scope === 'admin' ? [401] : []),
    ...(scope === 'admin' ? [403] : []),
    ...(params ? [404] : []),
    ...(takesBody ? [415] : []),
    ...(takesBody || query || idempotent ? [422] : []),
    429,
    ...(idempotent ? [409] : []),
    ...codesOf(endpoint).keys(),
  ];
  return [...new Set(statuses)];
}

/** `url` is the origin of the API. */
export function openApi(endpoints: readonly Endpoint[], url: string, cookieName: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cambist', version: '1', description: DESCRIPTION },
    servers: [{ url }],
    paths,
    components: {
      schemas: { Error: ErrorBody },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName },
        token: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const { method, path, scope, summary, params, query, body, upload, idempotent } = endpoint;
  const required = idempotent === true;
  const key = { name: 'Idempotency-Key', in: 'header', required, schema: { type: 'string' } };
  const person = { name: personHeader, in: 'header', required: false, schema: { type: 'string' } };
  const parameters = [
    ...parametersOf(params, 'path'),
    ...parametersOf(query, 'query'),
    ...(idempotent ? [key] : []),
    ...(takesPerson(endpoint) ? [person] : []),
  ];
  return {
    operationId: operationId(method, path),
    summary,
    tags: [tagOf(path)],
    security: securityOf(scope, method),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: content('application/json', body) } : {}),
    ...(upload === undefined ? {} : { requestBody: uploadBody(upload) }),
    responses: responses(endpoint),
  };
}

function responses(endpoint: Endpoint): Json {
  const { status, reply } = endpoint;
  const codes = codesOf(endpoint);
  const success = { description: 'Done.', ...(reply ? content('application/json', reply) : {}) };
  const failures = refusalStatuses(endpoint).map((refused) => {
    const named = codes.get(refused) ?? [];
    const rules = named.length > 0 ? ` Codes: ${named.join(', ')}.` : '';
    const error = content('application/json', { $ref: '#/components/schemas/Error' });
    return [refused, { description: `${REFUSALS[refused]}${rules}`, ...error }];
  });
  return { [status]: success, ...Object.fromEntries(failures) };
}

function content(type: string, schema: unknown): Json {
  return { content: { [type]: { schema } } };
}

function uploadBody(field: string): Json {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return content('multipart/form-data', {
    type: 'object',
    required: [field],
    properties: { [field]: file },
  });
}

function parametersOf(schema: TSchema | undefined, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, unknown>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }));
}

function securityOf(scope: Scope, method: string): Json[] {
  if (scope === 'public' || (scope === 'stateful' && isSafe(method))) return [];
  return [isSafe(method) ? { session: [] } : { session: [], token: [] }];
}

export function tagOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const [first = '', second = '', third = ''] = parts;
  if (first !== 'api') return 'session';
  if (second === 'admin') return `admin: ${third}`;
  if (second === 'auth' || second === 'user') return 'session';
  return second.replace(/\.\w+$/, '');
}

function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'api');
  return [method.toLowerCase(), ...words].join('_');
}
