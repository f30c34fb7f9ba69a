/**
 * Requests against the contract: no coercion and no dropping of fields in
 * bodies; numbers and switches in paths and queries are read as such. What does
 * not fit is answered in sentences, by field, as 422.
 */
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { Refusal, notFound } from '#kernel/refusal.ts';
import { doubtfulMessage, refusalOfErrors, refuseFields } from './invalid-fields.ts';
import { JsonRefused, findDoubtfulText, parseStrictly } from './strict-json.ts';

export function malformed(): Refusal {
  return new Refusal(422, 'malformed_json', 'The request body is not valid JSON.');
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
        done(null, parseStrictly(text));
      } catch (error) {
        if (!(error instanceof JsonRefused)) return done(error as Error);
        request.log.debug({ reason: error.message }, 'Refused a JSON body.');
        done(malformed());
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
    const field = findDoubtfulText(part);
    if (field === null) continue;
    if (part === request.params) throw notFound();
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
