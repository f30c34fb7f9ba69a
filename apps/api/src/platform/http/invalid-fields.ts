/** Validation errors as messages by field, in the words that clients of Laravel know, after a summary. */
import { fieldName, theField } from '@cambist/contract/field-name';
import { isVisible } from '@cambist/contract/visible-text';
import { secretPattern } from '@cambist/contract/settings';
import { slugPattern } from '@cambist/contract/wire';
import type { FastifySchemaValidationError } from 'fastify';
import { Refusal } from '#kernel/refusal.ts';
import { MAX_ERRORS } from './compilers.ts';

const MAX_FIELD_LENGTH = 100;
/** With the summary, an answer stays under 4 kB. */
const MAX_ERRORS_BYTES = 3000;

export function refusalOfErrors(
  found: readonly FastifySchemaValidationError[],
  data: unknown,
): Refusal {
  const seen = new Set<string>();
  const messages: [string, string][] = [];
  for (const [at, error] of found.entries()) {
    // The union's own error follows those of its branches and says more, unless the limit came first.
    if (/\/anyOf\/\d/.test(error.schemaPath) && at < found.length - 1) continue;
    const [reported = error] = error.keyword === 'anyOf' ? branchesOf(error, found) : [];
    const field = fieldOf(error);
    const message = messageOf(reported, field, valueAt(data, error.instancePath));
    if (seen.has(`${field} ${message}`)) continue;
    seen.add(`${field} ${message}`);
    messages.push([field, message]);
  }
  return refuseFields(messages);
}

/** For a union with null: the errors of the other branch, which say more than the union's. */
function branchesOf(
  union: FastifySchemaValidationError,
  found: readonly FastifySchemaValidationError[],
): readonly FastifySchemaValidationError[] {
  const place = `${union.schemaPath.replace(/\/anyOf$/, '')}/anyOf/`;
  const branches = found.filter(
    ({ schemaPath, instancePath }) =>
      schemaPath.startsWith(place) && instancePath === union.instancePath,
  );
  const isNull = ({ keyword, params }: FastifySchemaValidationError) =>
    keyword === 'type' && params['type'] === 'null';
  const others = branches.filter((branch) => !isNull(branch));
  const places = new Set(others.map(({ schemaPath }) => schemaPath.slice(place.length)[0]));
  return branches.some(isNull) && places.size === 1 ? others : [];
}

/** 422 with at most `MAX_ERRORS` messages that fit into the answer; the summary counts messages, not fields. */
export function refuseFields(messages: readonly (readonly [string, string])[]): Refusal {
  // Without a prototype: callers name the fields, `__proto__` among them.
  const errors = Object.create(null) as Record<string, string[]>;
  let count = 0;
  let bytes = 0;
  for (const [field, message] of messages.slice(0, MAX_ERRORS)) {
    bytes += Buffer.byteLength(JSON.stringify([field, message]));
    if (count > 0 && bytes > MAX_ERRORS_BYTES) break;
    (errors[field] ??= []).push(message);
    count += 1;
  }
  const more = count - 1;
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
  return path.length > 0 ? shortened(path.join('.')) : 'body';
}

/** Callers may send field names of any length. */
export function shortened(field: string): string {
  return field.length > MAX_FIELD_LENGTH
    ? `${field.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…`
    : field;
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

export function doubtfulMessage(field: string): string {
  return `The ${theField(field)} contains characters that are not allowed.`;
}

function messageOf(error: FastifySchemaValidationError, field: string, value: unknown): string {
  const name = fieldName(field);
  const { keyword, params } = error;
  const limit = String(params['limit']);
  const blank = value === null || (typeof value === 'string' && !isVisible(value));
  if (keyword === 'required' || blank) return `The ${theField(field)} is required.`;
  switch (keyword) {
    case 'additionalProperties':
      return `The ${theField(field)} is prohibited.`;
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
    case 'pattern':
      return patternMessage(field, String(params['pattern']), value);
    default:
      return `The ${name} format is invalid.`;
  }
}

/** Names the most common mistakes in links, paths and slugs. */
function patternMessage(field: string, pattern: string, value: unknown): string {
  const name = fieldName(field);
  if (pattern.startsWith('^/[')) {
    return String(value).startsWith('/')
      ? `The ${name} may have no space, no # and no letter beyond A to Z.`
      : `The ${name} must begin with /.`;
  }
  if (pattern === slugPattern) {
    return `The ${name} may have small letters, digits and single hyphens only.`;
  }
  if (pattern === secretPattern) {
    if (String(value).trim() === '') return `The ${theField(field)} is required.`;
    return `The ${name} may have letters A to Z, digits, spaces and the marks of an English keyboard only.`;
  }
  return pattern.startsWith('^(https?://|')
    ? `The ${name} must begin with https://, mailto: or tel:, or with / for a page of this site.`
    : `The ${name} format is invalid.`;
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
