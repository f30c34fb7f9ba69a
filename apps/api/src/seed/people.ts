/**
 * The people of a first start: the admin who is to sign in, and for a demo desk
 * a second operator and a dozen customers. Only the admin and one customer have a
 * password.
 */
import { randomInt } from 'node:crypto';
import { permissions } from '@cambist/contract/endpoint';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { createUser } from '#features/auth/users.ts';
import type { Tx } from '#platform/db/database.ts';
import { readJson } from './files.ts';

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

interface DemoCustomer {
  readonly name: string;
  readonly email: string;
  readonly locale: string;
  /** When they signed up: before their first exchange. */
  readonly daysAgo: number;
}

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
  for (const { name, email, locale, daysAgo } of readJson<DemoCustomer[]>('people.json')) {
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
