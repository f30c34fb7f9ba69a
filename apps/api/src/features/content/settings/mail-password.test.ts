/** The password of the mail server: another server, named meanwhile, must not be handed it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Answer, Client, Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { transaction } from '#platform/db/database.ts';
import { auth } from '#features/auth/routes.ts';
import { settings } from './routes.ts';
import { writeSecret } from './settings.ts';

const GROUP = '/api/admin/settings/mail';
const PASSWORD = `${GROUP}/secrets/password`;
/** Long enough for a request to come to the row that is held. */
const ARRIVAL_MS = 300;

const api = await startTestApi({ after }, { features: [settings, auth] });
const { client: mine } = await api.asAdmin();
const { client: theirs } = await api.asAdmin();

const entry = async (): Promise<Json> => (await mine.get(GROUP)).body.data;

async function name(host: string, by: Client = mine): Promise<Answer> {
  const { version, value } = await entry();
  return by.put(GROUP, { version, value: { ...value, host } });
}

const give = (version?: number) => mine.put(PASSWORD, { secret: 'only for the old one', version });

const isOvertaken = ({ status, body }: Answer) =>
  assert.deepEqual([status, body.code], [409, 'version_conflict']);

async function isForgotten(): Promise<void> {
  const [password] = (await entry()).secrets;
  assert.equal(password.set, false);
}

describe('the password of the mail server', () => {
  it('is refused before a server is named', async () => {
    const { status, body } = await give(0);
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['secret']]);
    await isForgotten();
  });

  it('goes to no first server: neither one kept before, nor one given at that moment', async () => {
    const kept = { slug: 'mail', name: 'password', plain: 'kept for none' };
    await transaction(api.db, (tx) => writeSecret(api.deps, tx, 'system', null, kept));
    let naming: Promise<Answer> | undefined;
    let given: Promise<Answer> | undefined;
    await transaction(api.db, async (tx) => {
      await sql`lock table setting_secrets in share row exclusive mode`.execute(tx);
      naming = name('first.example.com', theirs);
      await pause(ARRIVAL_MS);
      given = give(0);
      await pause(ARRIVAL_MS);
    });
    assert.deepEqual([(await naming)?.status, (await given)?.status], [200, 422]);
    await isForgotten();
  });

  it('is kept for the settings as they were seen, and without them not at all', async () => {
    await name('old.example.com');
    const { version } = await entry();
    assert.deepEqual(Object.keys((await give()).body.errors), ['version']);
    assert.equal((await give(version)).status, 200);
  });

  it('is refused where another server was named meanwhile', async () => {
    const { version } = await entry();
    assert.equal((await name('new.example.com', theirs)).status, 200);
    isOvertaken(await give(version));
    await isForgotten();
  });

  it('is refused where another server is named at the same moment', async () => {
    const { version } = await entry();
    let naming: Promise<Answer> | undefined;
    let given: Promise<Answer> | undefined;
    await transaction(api.db, async (tx) => {
      await sql`select from settings where slug = 'mail' for update`.execute(tx);
      naming = name('newer.example.com', theirs);
      await pause(ARRIVAL_MS);
      given = give(version);
      await pause(ARRIVAL_MS);
    });
    assert.equal((await naming)?.status, 200);
    isOvertaken((await given) ?? assert.fail());
    await isForgotten();
  });

  it('can be removed by whoever has not looked', async () => {
    await give((await entry()).version);
    assert.equal((await mine.put(PASSWORD, { secret: null })).status, 200);
    await isForgotten();
  });

  it('is no row of blanks', async () => {
    await name('blanks.example.com');
    const { version } = await entry();
    for (const secret of [' ', '   ']) {
      const { status, body } = await mine.put(PASSWORD, { secret, version });
      assert.equal(status, 422);
      assert.deepEqual(body.errors, { secret: ['The secret field is required.'] });
    }
    await isForgotten();
  });
});
