/**
 * The people of a first start: the admin who is to sign in, and for a demo desk
 * a second operator and a dozen customers. Only those who are told of have a
 * password; nobody can sign in as the others.
 */
import { randomInt } from 'node:crypto';
import { permissions } from '@cambist/contract/endpoint';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { createUser } from '#features/auth/auth.ts';
import type { Tx } from '#platform/database.ts';

export interface Person {
  readonly id: Id;
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Sixteen characters, 79 bits, in groups that can be read aloud. */
export function newPassword(): string {
  const group = () =>
    Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

export const OPERATOR = { name: 'Ines Valdivia', email: 'ines@cambist.example' };
export const DEMO_CUSTOMER = { name: 'Mira Okonjo', email: 'mira@example.com' };

/** Name, address, language, and how many days ago they signed up: before their first exchange. */
const CUSTOMERS = [
  [DEMO_CUSTOMER.name, DEMO_CUSTOMER.email, 'en', 112],
  ['Anders Moberg', 'anders.moberg@example.com', 'sv', 104],
  ['Kwame Owusu', 'kwame.owusu@example.com', 'en', 97],
  ['Sofia Raptis', 'sofia.raptis@example.com', 'el', 90],
  ['Jun Takahashi', 'jun.takahashi@example.com', 'ja', 83],
  ['Leila Wahidi', 'leila.wahidi@example.com', 'fr', 75],
  ['Tomás Ferreira', 'tomas.ferreira@example.com', 'pt', 68],
  ['Priya Nair', 'priya.nair@example.com', 'en', 59],
  ['Oskar Lindqvist', 'oskar.lindqvist@example.com', 'sv', 51],
  ['Chidi Eze', 'chidi.eze@example.com', 'en', 44],
  ['Hanna Weiss', 'hanna.weiss@example.com', 'de', 36],
  ['Renata Kowalczyk', 'renata.kowalczyk@example.com', 'pl', 2],
] as const;

/** Adds an admin with all permissions; without a password nobody can sign in as them. */
export async function addAdmin(
  tx: Tx,
  now: Date,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string | null },
): Promise<Person> {
  return add(tx, {
    name,
    email,
    passwordHash,
    now,
    role: 'admin',
    permissions,
    emailVerifiedAt: now,
  });
}

/** Adds the demo's customers, the one with a password first. */
export async function addCustomers(tx: Tx, now: Date, demoHash: string): Promise<Person[]> {
  const people: Person[] = [];
  for (const [name, email, locale, daysAgo] of CUSTOMERS) {
    const joined = new Date(now.getTime() - daysAgo * DAY);
    const passwordHash = email === DEMO_CUSTOMER.email ? demoHash : null;
    people.push(
      await add(tx, {
        name,
        email,
        passwordHash,
        locale,
        now: joined,
        emailVerifiedAt: joined,
        termsAcceptedAt: joined,
      }),
    );
  }
  return people;
}

async function add(tx: Tx, user: Parameters<typeof createUser>[1]): Promise<Person> {
  const row = await createUser(tx, user);
  if (!row) throw new Error(`The address ${user.email} is already taken.`);
  return { id: row.id, name: row.name, email: row.email, createdAt: user.now };
}
