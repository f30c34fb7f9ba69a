/**
 * Requests against the contract: no coercion and no dropping of fields in
 * bodies; numbers and switches in paths and queries are read as such. What does
 * not fit is answered in sentences, by field, as 422.
 */
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { Refusal, notFound } from '#kernel/refusal.ts';
import { JsonRefused, findDoubtfulText, parseStrictly } from './strict-json.ts';

/** For the framework's schema compiler. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
} as const;

export function malformed(): Refusal {
  return new Refusal(422, 'malformed_json', 'The request body is not valid JSON.');
}

/** JSON is the only body that is parsed; the upload routes read theirs as a stream. */
export function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
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
  for (const part of [request.params, request.query, request.body]) {
    const field = findDoubtfulText(part);
    if (field === null) continue;
    throw refuse([
      [field, `The ${humanized(field)} field contains characters that are not allowed.`],
    ]);
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

/** 422 for what a schema found wrong in `data`, in sentences, by field. */
export function refusalOfErrors(
  found: readonly FastifySchemaValidationError[],
  data: unknown,
): Refusal {
  const seen = new Set<string>();
  const messages: [string, string][] = [];
  for (const error of found) {
    // The branches of a union say little; the union's own error follows them.
    if (/\/anyOf\/\d/.test(error.schemaPath)) continue;
    const field = fieldOf(error);
    const message = messageOf(error, field, valueAt(data, error.instancePath));
    if (seen.has(`${field} ${message}`)) continue;
    seen.add(`${field} ${message}`);
    messages.push([field, message]);
  }
  return refuse(messages);
}

/** 422 with all messages; the summary counts messages, not fields. */
function refuse(messages: readonly (readonly [string, string])[]): Refusal {
  const errors: Record<string, string[]> = {};
  for (const [field, message] of messages) (errors[field] ??= []).push(message);
  const more = messages.length - 1;
  const suffix = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : '';
  const first = messages[0]?.[1] ?? 'The given data was invalid.';
  return new Refusal(422, 'validation_failed', first + suffix, { errors });
}

function fieldOf({ instancePath, keyword, params }: FastifySchemaValidationError): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  const extra =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined;
  if (typeof extra === 'string') path.push(extra);
  return path.length > 0 ? path.join('.') : 'body';
}

function unescapePointer(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function valueAt(data: unknown, pointer: string): unknown {
  let value = data;
  for (const key of pointer.split('/').slice(1).map(unescapePointer)) {
    value = (value as Record<string, unknown> | undefined)?.[key];
  }
  return value;
}

/** `payout_fields.0.card_number` → `payout fields 0 card number`. */
function humanized(field: string): string {
  return field.replace(/[._]+/g, ' ').trim();
}

function messageOf(error: FastifySchemaValidationError, field: string, value: unknown): string {
  const name = humanized(field);
  const { keyword, params } = error;
  const limit = String(params['limit']);
  if (keyword === 'required' || value === '' || value === null)
    return `The ${name} field is required.`;
  switch (keyword) {
    case 'additionalProperties':
      return `The ${name} field is prohibited.`;
    case 'type':
      return `The ${name} must be ${typeName(String(params['type']))}.`;
    case 'format':
      return formatMessage(name, String(params['format']));
    case 'minLength':
      return `The ${name} must be at least ${limit} characters.`;
    case 'maxLength':
      return `The ${name} must not be greater than ${limit} characters.`;
    case 'minimum':
      return `The ${name} must be at least ${limit}.`;
    case 'maximum':
      return `The ${name} must not be greater than ${limit}.`;
    case 'minItems':
      return `The ${name} must have at least ${limit} items.`;
    case 'maxItems':
    case 'maxProperties':
      return `The ${name} must not have more than ${limit} items.`;
    case 'enum':
    case 'const':
    case 'anyOf':
      return `The selected ${name} is invalid.`;
    default:
      return `The ${name} format is invalid.`;
  }
}

function formatMessage(name: string, format: string): string {
  if (format === 'email') return `The ${name} must be a valid email address.`;
  if (format === 'date' || format === 'date-time') return `The ${name} must be a valid date.`;
  return `The ${name} format is invalid.`;
}

function typeName(type: string): string {
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'an integer';
    case 'array':
    case 'object':
      return `an ${type}`;
    default:
      return `a ${type}`;
  }
}
