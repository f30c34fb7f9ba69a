/**
 * Fills the empty database of a first start: with a demo desk for `APP_ENV=local`, with the admin and basic pages
 * in production. The data is read from `apps/api/seed` and written by the features' own functions, in one
 * transaction, so after a crash the next start begins again.
 */
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { bySystem } from '#kernel/actor.ts';
import { hashPassword } from '#features/auth/password/passwords.ts';
import { countUsers } from '#features/auth/store.ts';
import { reconcileNow } from '#features/exchanges/reconciliation.ts';
import { settingDefaults } from '#features/content/settings/defaults.ts';
import { write as writeSettings } from '#features/content/settings/writing.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Config } from './config.ts';
import { ConfigError } from './environment.ts';
import { requireForFirstStart } from './first-start.ts';
import { openDeps } from './open.ts';
import {
  demoCompany,
  demoGeneral,
  demoHomePage,
  seedLegalPages,
  seedMedia,
  seedPosts,
  withLegalLinks,
} from './seed/content.ts';
import { seedMessages, seedNewsletter } from './seed/correspondence.ts';
import { seedDesk } from './seed/desk.ts';
import { seedExchanges } from './seed/exchanges.ts';
import { demoPairs } from './seed/files.ts';
import { inOneTransaction } from './seed/one-transaction.ts';
import { addAdmin, addCustomers, DEMO_CUSTOMER, newPassword, OPERATOR } from './seed/people.ts';

/** The sign-ins to show once to the operator. */
export interface Seeded {
  readonly adminEmail: string;
  /** Null when it is from ADMIN_PASSWORD. */
  readonly adminPassword: string | null;
  /** A customer of the demo desk. */
  readonly demo?: { readonly email: string; readonly password: string };
}

interface Secrets extends Seeded {
  readonly adminHash: string;
  readonly demoHash: string;
}

const DEFAULT_ADMIN_EMAIL = 'admin@cambist.example';

/**
 * Fills an empty database; returns null when it has users.
 * `config.databaseUrl` must lead to a migrated database.
 * @throws {ConfigError} in production without ADMIN_EMAIL or MAIL_URL.
 */
export async function seed(config: Config, log: (line: string) => void): Promise<Seeded | null> {
  if (config.databaseUrl === null) throw new ConfigError(['DATABASE_URL is not set.']);
  const silent: FastifyBaseLogger = pino({ level: 'silent' });
  const { deps, close } = openDeps({
    config,
    databaseUrl: config.databaseUrl,
    log: silent,
    poolSize: 2,
  });
  try {
    if ((await countUsers(deps.db)) > 0) return null;
    await requireForFirstStart(config, config.databaseUrl);
    const secrets = await newSecrets(config);
    // Approvals need a reconciled ledger, in the demo desk too.
    await reconcileNow(deps);
    const seeded = await inOneTransaction(deps, async (all, tx) => {
      // Another process may have been first.
      if ((await countUsers(tx)) > 0) return false;
      log(config.appEnv === 'local' ? 'seeding the demo desk' : 'adding the first admin');
      await (config.appEnv === 'local' ? seedDemo(all, tx, secrets) : seedBare(all, tx, secrets));
      return true;
    });
    if (!seeded) return null;
    const { adminEmail, adminPassword, demo } = secrets;
    return { adminEmail, adminPassword, ...(demo && config.appEnv === 'local' ? { demo } : {}) };
  } finally {
    await close();
  }
}

/** Passwords and their hashes, before the transaction, since hashing is slow. */
async function newSecrets(config: Config): Promise<Secrets> {
  const { admin } = config;
  const adminPassword = admin.password === null ? newPassword() : null;
  const demo = { email: DEMO_CUSTOMER.email, password: newPassword() };
  const [adminHash, demoHash] = await Promise.all([
    hashPassword(admin.password ?? adminPassword ?? newPassword()),
    hashPassword(demo.password),
  ]);
  const adminEmail = (admin.email ?? DEFAULT_ADMIN_EMAIL).toLowerCase();
  return { adminEmail, adminPassword, demo, adminHash, demoHash };
}

async function seedBare(deps: Deps, tx: Tx, { adminEmail, adminHash }: Secrets): Promise<void> {
  await addAdmin(tx, deps.clock(), { name: 'Admin', email: adminEmail, passwordHash: adminHash });
  // Sign-up asks users to accept the terms, so they must exist.
  const company = { name: settingDefaults.general.company_name, address: '', email: adminEmail };
  await seedLegalPages(deps, company, false);
  await writeSettings(deps, bySystem, 'general', {
    version: 0,
    value: { ...settingDefaults.general, contact_email: adminEmail },
  });
  await writeSettings(deps, bySystem, 'home-page', {
    version: 0,
    value: withLegalLinks(settingDefaults['home-page']),
  });
}

async function seedDemo(deps: Deps, tx: Tx, secrets: Secrets): Promise<void> {
  const now = deps.clock();
  const { adminEmail: email, adminHash: passwordHash } = secrets;
  const admin = await addAdmin(tx, now, { name: 'Admin', email, passwordHash });
  const operator = await addAdmin(tx, now, { ...OPERATOR, passwordHash: null });
  const customers = await addCustomers(tx, now, secrets.demoHash);
  await seedLegalPages(deps, demoCompany(), true);
  await writeSettings(deps, bySystem, 'general', {
    version: 0,
    value: demoGeneral(),
  });
  // So that a payee account can be tried at once.
  const desk = { ...settingDefaults.desk, payee_cooling_hours: 0 };
  await writeSettings(deps, bySystem, 'desk', { version: 0, value: desk });
  await seedPosts(deps, await seedMedia(deps));
  const figures = await seedDesk(deps, admin.id);
  await seedExchanges(deps, { adminId: admin.id, operatorId: operator.id, customers });
  await seedMessages(tx, now, operator);
  await seedNewsletter(tx, now, operator);
  await writeSettings(deps, bySystem, 'home-page', {
    version: 0,
    value: demoHomePage({ ...figures, lockMinutes: demoPairs().pairs[0]?.lock_minutes ?? 15 }),
  });
}
