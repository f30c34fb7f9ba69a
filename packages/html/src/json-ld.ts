/**
 * Structured data that people paste: read as JSON and written anew, so that
 * nothing but JSON-LD ever reaches a page, however it was dressed up.
 */

/** Why something pasted is refused, in words for whoever pasted it. */
export class MarkupFault extends Error {
  override readonly name = 'MarkupFault';
}

const maxDepth = 20;
const element = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const jsonLdType = /^\s*type\s*=\s*(["']?)application\/ld\+json\1\s*$/i;

/**
 * Takes bare JSON, or one or more `<script type="application/ld+json">`
 * elements and nothing else. Answers each object; nothing at all is an empty list.
 * @throws {MarkupFault} for other scripts, other markup, and what is no JSON-LD.
 */
export function readJsonLd(source: string): object[] {
  const pasted = source.trim();
  if (pasted === '') return [];
  const texts = pasted.startsWith('<') ? elements(pasted) : [pasted];
  return texts.flatMap(parse);
}

/** JSON that cannot leave the `<script>` element it is written into. */
export function writeJsonLd(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function elements(source: string): string[] {
  const found = [...source.matchAll(element)];
  if (source.replace(element, '').trim() !== '') {
    throw new MarkupFault('Only <script type="application/ld+json"> elements may stand here.');
  }
  return found.map(([, attributes = '', text = '']) => {
    if (!jsonLdType.test(attributes)) {
      throw new MarkupFault(
        'A script here must have the type application/ld+json and no other attribute.',
      );
    }
    return text;
  });
}

function parse(text: string): object[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new MarkupFault(`The structured data is no valid JSON: ${(error as Error).message}.`);
  }
  const objects = Array.isArray(data) ? (data as unknown[]) : [data];
  return objects.map((object) => {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) {
      throw new MarkupFault('Structured data is an object, or a list of objects.');
    }
    if (!isSchemaOrg((object as Record<string, unknown>)['@context'])) {
      throw new MarkupFault('Structured data needs "@context": "https://schema.org".');
    }
    if (isDeeper(object, maxDepth))
      throw new MarkupFault('The structured data is nested too deeply.');
    const key = forbiddenKey(object);
    if (key !== null) throw new MarkupFault(`The structured data may have no field named ${key}.`);
    return object;
  });
}

function isSchemaOrg(context: unknown): boolean {
  return typeof context === 'string' && /^https?:\/\/(www\.)?schema\.org\/?$/.test(context);
}

/** Goes no further down than it asks: what is pasted may be deeper than the stack. */
function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((part) => isDeeper(part, most - 1));
}

/** What is a field in JSON and something else to programs: pages that carry one cannot be sent. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** For what is known not to be deep. */
function forbiddenKey(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = forbiddenKeys.has(key) ? key : forbiddenKey(part);
    if (found !== null) return found;
  }
  return null;
}
