import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { bySystem } from '#kernel/actor.ts';
import { startTestApi } from '#test/harness.ts';
import { transaction } from '#platform/db/database.ts';
import { describeSecrets, readSecret, writeSecret } from './secrets.ts';

const { deps, db } = await startTestApi({ after }, { features: [] });

describe('secrets', () => {
  const slug = 'general';
  const plain = 'sk-live-0123456789abcdef';

  function keep(name: string, text: string | null): Promise<void> {
    return transaction(db, (tx) => writeSecret(deps, tx, bySystem, { slug, name, plain: text }));
  }

  it('come back as they were, and are described by their last four only', async () => {
    await keep('provider_key', plain);
    assert.equal(await readSecret(deps, slug, 'provider_key'), plain);
    const note = (await describeSecrets(db, slug)).find(({ name }) => name === 'provider_key');
    assert.equal(note?.last_four, 'cdef');
    assert.ok(!JSON.stringify(note).includes('sk-live'));
    await keep('provider_key', 'another-secret-of-length-9999');
    assert.equal(await readSecret(deps, slug, 'provider_key'), 'another-secret-of-length-9999');
  });

  it('show nothing of a short one', async () => {
    await keep('pin', '123456');
    assert.equal(
      (await describeSecrets(db, slug)).find(({ name }) => name === 'pin')?.last_four,
      '',
    );
  });

  it('are gone when removed', async () => {
    await keep('gone', plain);
    await keep('gone', null);
    assert.equal(await readSecret(deps, slug, 'gone'), null);
  });

  it('are not in the database in clear', async () => {
    await keep('clear', plain);
    const row = await db
      .selectFrom('setting_secrets')
      .select('sealed')
      .where('name', '=', 'clear')
      .executeTakeFirstOrThrow();
    assert.ok(!row.sealed.includes(plain));
  });

  it('do not open when changed by a single bit, or moved to another name', async () => {
    await keep('tampered', plain);
    const { sealed } = await db
      .selectFrom('setting_secrets')
      .select('sealed')
      .where('name', '=', 'tampered')
      .executeTakeFirstOrThrow();
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      await db
        .updateTable('setting_secrets')
        .set({ sealed: changed })
        .where('name', '=', 'tampered')
        .execute();
      await assert.rejects(readSecret(deps, slug, 'tampered'), /does not open/);
    }
    await keep('moved', plain);
    await db
      .updateTable('setting_secrets')
      .set({ name: 'moved_away' })
      .where('name', '=', 'moved')
      .execute();
    await assert.rejects(readSecret(deps, slug, 'moved_away'), /does not open/);
  });
});
