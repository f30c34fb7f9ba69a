/**
 * Validates requests against the contract: no coercion and no dropping of fields in bodies; numbers and
 * booleans in paths and queries are parsed. Errors are 422 with messages by field.
 */
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { Refusal, notFound } from '#kernel/refusal.ts';
import { doubtfulMessage, refusalOfErrors, refuseFields, shortened } from './invalid-fields.ts';
import {
  JsonRefused,
  TooManyParts,
  findDoubtfulText,
  parseStrictly,
  type JsonLimits,
} from './strict-json.ts';

/**
 * More than any schema of the contract allows, which a test checks: an edited pair has 28 keys, the longest
 * lists 1,000 items, the settings of feeds 21,600 keys and items.
 */
export const BODY_LIMITS: JsonLimits = { keys: 50, items: 1200, parts: 25_000 };

export function malformed(): Refusal {
  return new Refusal(422, 'malformed_json', 'The request body is not valid JSON.');
}

function tooManyParts(): Refusal {
  return new Refusal(422, 'malformed_json', 'The request body has too many fields or items.');
}

export const FORM = 'application/x-www-form-urlencoded';

/** Parses only JSON bodies: upload routes read a stream, and forms are accepted unread. */
export function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM, (_request, _payload, done) => done(null, undefined));
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      // Some clients send the type with an empty body too.
      if (text === '') return done(null, undefined);
      try {
        done(null, parseStrictly(text, BODY_LIMITS));
      } catch (error) {
        if (!(error instanceof JsonRefused)) return done(error as Error);
        request.log.debug({ reason: error.message }, 'Refused a JSON body.');
        done(error instanceof TooManyParts ? tooManyParts() : malformed());
      }
    },
  );
}

/** Prepares a request for its schemas. @throws {Refusal} 422 for text that cannot be stored. */
export function prepare(request: FastifyRequest): void {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint) return;
  if (endpoint.query) request.query = readTexts(request.query, endpoint.query);
  if (endpoint.params) request.params = readTexts(request.params, endpoint.params);
  // A missing body counts as an empty one, so that each missing field is named.
  if (endpoint.body && request.body === undefined) request.body = {};
  const body = endpoint.checksText ? undefined : request.body;
  for (const part of [request.params, request.query, body]) {
    const found = findDoubtfulText(part);
    if (found === null) continue;
    if (part === request.params) throw notFound();
    const field = shortened(found);
    throw refuseFields([[field, doubtfulMessage(field)]]);
  }
}

type Properties = Readonly<Record<string, { readonly type?: string }>>;

/** Parses integers and booleans where the schema has them. */
function readTexts(part: unknown, schema: TSchema): Record<string, unknown> {
  const properties = (schema as { properties?: Properties }).properties ?? {};
  return Object.fromEntries(
    Object.entries(part as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'string' ? readText(value, properties[name]?.type) : value,
    ]),
  );
}

function readText(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number.parseInt(text, 10);
  if (type === 'boolean' && /^(true|1)$/.test(text)) return true;
  if (type === 'boolean' && /^(false|0)$/.test(text)) return false;
  return text;
}

/** The answer to schema errors; 404 for those of the path. */
export function refusalOf(
  found: readonly FastifySchemaValidationError[],
  context: string,
  request: FastifyRequest,
): Refusal {
  if (context === 'params') return notFound();
  return refusalOfErrors(found, context === 'querystring' ? request.query : request.body);
}
