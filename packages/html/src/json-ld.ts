/** Structured data from an editor: parsed as JSON and serialised again, so that nothing else reaches a page. */

/** Why the input is refused, in words for the editor who pasted it. */
export class MarkupFault extends Error {
  override readonly name = 'MarkupFault';
}

const maxDepth = 20;
const element = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const jsonLdType = /^\s*type\s*=\s*(["']?)application\/ld\+json\1\s*$/i;

/**
 * Reads bare JSON, or one or more `<script type="application/ld+json">` elements and nothing else.
 * @returns each object; an empty list for empty input
 * @throws {MarkupFault} for other scripts, other markup and anything that is not JSON-LD
 */
export function readJsonLd(source: string): object[] {
  const pasted = source.trim();
  if (pasted === '') return [];
  const texts = pasted.startsWith('<') ? elements(pasted) : [pasted];
  return texts.flatMap(parse);
}

/** JSON that cannot end the `<script>` element it is written into. */
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

/** Stops at `most`: the input may be nested deeper than the stack allows. */
function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((part) => isDeeper(part, most - 1));
}

/** Keys that the serialiser of page data refuses. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Only for values whose depth was checked. */
function forbiddenKey(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = forbiddenKeys.has(key) ? key : forbiddenKey(part);
    if (found !== null) return found;
  }
  return null;
}
