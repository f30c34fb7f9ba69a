/** Which fields of a group a variable of the environment beats, so that nobody changes them in vain. Pure. */
import type { NamedShape } from '#lib/console/schema-form/shape.ts';

interface Beaten {
  readonly fields: readonly string[];
  readonly secrets: readonly string[];
}

const byProvider = (provider: string): Beaten => ({
  fields: [provider],
  secrets: [`${provider}_client_secret`],
});

const BEATEN: Readonly<Record<string, Beaten>> = {
  MAIL_URL: { fields: ['host', 'port', 'security', 'username'], secrets: ['password'] },
  MAIL_FROM: { fields: ['from_name', 'from_address'], secrets: [] },
  GOOGLE_CLIENT_ID: byProvider('google'),
  GOOGLE_CLIENT_SECRET: byProvider('google'),
  FACEBOOK_CLIENT_ID: byProvider('facebook'),
  FACEBOOK_CLIENT_SECRET: byProvider('facebook'),
};

/** Of the variables that are set: those that beat this field, or this secret, of the group. */
export function beating(
  set: readonly string[],
  what: keyof Beaten,
  name: string,
): readonly string[] {
  return set.filter((variable) => BEATEN[variable]?.[what].includes(name));
}

/**
 * Beaten fields, able to show what is in force: the environment has choices that nobody can make
 * here, as a mail server that may encrypt.
 */
export function asDecided(
  fields: readonly NamedShape[],
  inForce: Readonly<Record<string, unknown>>,
): NamedShape[] {
  return fields.map(({ key, shape }) => {
    const held = String(inForce[key]);
    if (shape.kind !== 'choice' || shape.choices.includes(held)) return { key, shape };
    return { key, shape: { ...shape, choices: [...shape.choices, held] } };
  });
}

export interface Run {
  /** What beats them; none for fields that are in force as they stand. */
  readonly by: readonly string[];
  readonly fields: readonly NamedShape[];
}

/** The fields in their order, those together that the same variables beat. */
export function runsOf(fields: readonly NamedShape[], set: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const field of fields) {
    const by = beating(set, 'fields', field.key);
    const last = runs.at(-1);
    if (last?.by.join() === by.join()) {
      runs.splice(-1, 1, { by, fields: [...last.fields, field] });
    } else runs.push({ by, fields: [field] });
  }
  return runs;
}
