/**
 * Requests against the contract: no coercion and no dropping of fields in
 * bodies; numbers and switches in paths and queries are read as such. What does
 * not fit is answered in sentences, by field, as 422.
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
 * More than any schema of the contract allows, which a test holds. The widest object is an edited
 * pair with 28 keys; the longest lists have 1,000 items, and one a little longer is answered with
 * its field's name; the largest value is the settings of feeds with 21,600 keys and items.
 */
export const BODY_LIMITS: JsonLimits = { keys: 50, items: 1200, parts: 25_000 };

export function malformed(): Refusal {
  return new Refusal(422, 'malformed_json', 'The request body is not valid JSON.');
}

function tooManyParts(): Refusal {
  return new Refusal(422, 'malformed_json', 'The request body has too many fields or items.');
}

/** What a browser, or a mail program, posts from a form without files. */
export const FORM = 'application/x-www-form-urlencoded';

/**
 * JSON is the only body that is parsed; the upload routes read theirs as a stream, and of a form,
 * where a route takes any, nothing is read.
 */
export function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM, (_request, _payload, done) => done(null, undefined));
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      // Clients that always name the type send it with an empty body too.
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

/** Prepares a request for its schemas. @throws {Refusal} 422 for text that cannot be kept. */
export function prepare(request: FastifyRequest): void {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint) return;
  if (endpoint.query) request.query = readTexts(request.query, endpoint.query);
  if (endpoint.params) request.params = readTexts(request.params, endpoint.params);
  // No body at all is judged like an empty one: each missing field is named.
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

/** Turns texts into the whole numbers and booleans that the schema names. */
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

/** The answer to schema errors. A path that cannot be right names nothing: 404. */
export function refusalOf(
  found: readonly FastifySchemaValidationError[],
  context: string,
  request: FastifyRequest,
): Refusal {
  if (context === 'params') return notFound();
  return refusalOfErrors(found, context === 'querystring' ? request.query : request.body);
}
