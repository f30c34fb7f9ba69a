import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Selectable } from 'kysely';
import { HOUR } from '#kernel/clock.ts';
import type { ProofsTable } from '#platform/db/tables.generated.ts';
import { create, proofFiles, startTestDesk, submitted } from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const { api, admin } = await startTestDesk({ after });
const { client: stranger } = await api.asMember();

const folder = join(api.deps.config.dataDir, 'public/transaction-proofs');
const onDisk = () => proofFiles(api);

describe('a proof of payment on the way to people', () => {
  let proof: Selectable<ProofsTable>;
  const link = { headers: { accept: 'text/html' } };
  let own = '';
  let desk = '';
  let kim: typeof admin;
  before(async () => {
    ({ client: kim } = await api.asMember({ name: 'Kim Osei' }));
    const exchange = await submitted(kim);
    proof = await api.db
      .selectFrom('proofs')
      .selectAll()
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    own = `/api/exchanges/${exchange.number}/proofs/${proof.id}/file`;
    desk = `/api/admin/proofs/${proof.id}/file`;
  });

  it('is shown so that no browser runs anything in it, and to any origin that may ask', async () => {
    const answer = await admin.get(desk);
    assert.equal(answer.status, 200);
    const { headers } = answer;
    assert.equal(headers['content-type'], 'image/jpeg');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'");
    assert.equal(headers['cache-control'], 'private, no-store');
    assert.equal(headers['cross-origin-resource-policy'], 'same-site');
    assert.equal(
      headers['content-disposition'],
      `inline; filename="receipt.jpg"; filename*=UTF-8''receipt.jpg`,
    );
    assert.equal(headers['access-control-allow-origin'], 'http://localhost:4000');
    assert.equal(Number(headers['content-length']), answer.bytes.byteLength);
    const original = await admin.get(desk, { query: { original: 'true' } });
    assert.match(String(original.headers['content-disposition']), /^attachment; /);
    const bare = await admin.send('HEAD', desk);
    assert.deepEqual([bare.status, bare.bytes.byteLength], [200, 0]);
    assert.equal(bare.headers['content-length'], headers['content-length']);
  });

  it('redirects a browser that follows a link without access to a page', async () => {
    const ask = async (client: typeof admin, path: string) => {
      const answer = await client.get(path, link);
      assert.deepEqual([answer.status, answer.text], [302, '']);
      return String(answer.headers['location']).replace('http://localhost:4000', '');
    };
    const page = own.replace(/^\/api(.*)\/proofs.*/, '$1');
    assert.equal(await ask(api.client(), own), `/signin?next=${page}&notice=signed-out`);
    assert.equal(await ask(stranger, own), '/exchanges?trouble=gone');
    const console = '/admin/exchanges';
    assert.equal(await ask(api.client(), desk), `/signin?next=${console}&notice=signed-out`);
    assert.equal(await ask(stranger, desk), console);
  });

  it('redirects a browser to the list when the file is gone; other callers get JSON', async () => {
    const ways = [
      [kim, own, '/exchanges'],
      [admin, desk, '/admin/exchanges'],
    ] as const;
    for (const [client, path, page] of ways) {
      const gone = path.replace(proof.id, randomUUID());
      const led = await client.get(gone, link);
      assert.deepEqual(
        [led.status, led.headers['location']],
        [302, `http://localhost:4000${page}?trouble=gone`],
      );
      const answer = await client.get(gone);
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
    }
  });

  it('redirects a browser that asks too often to the list', async () => {
    const strict = await startTestApi({ after }, { env: { THROTTLE_SCALE: '0.02' } });
    const crowded = async (client: typeof admin, path: string) => {
      let last = await client.get(path, link);
      for (let n = 0; n < 20; n += 1) last = await client.get(path, link);
      return [last.status, last.headers['location']];
    };
    const { client: member } = await strict.asMember();
    assert.deepEqual(await crowded(member, own), [
      302,
      'http://localhost:4000/exchanges?trouble=too_many',
    ]);
    const { client: operator } = await strict.asAdmin();
    assert.deepEqual(await crowded(operator, desk), [
      302,
      'http://localhost:4000/admin/exchanges?trouble=too_many',
    ]);
  });

  it('is readable only for its owner and admins, by any path', async () => {
    assert.equal((await stranger.get(own)).status, 404);
    assert.equal((await api.client().get(own)).status, 401);
    assert.equal((await stranger.get(desk)).status, 403);
    assert.equal((await api.client().get(desk)).status, 401);
    const { number: mine } = await create(stranger);
    assert.equal(
      (await stranger.get(`/api/exchanges/${mine}/proofs/${proof.id}/file`)).status,
      404,
    );
    for (const name of [proof.stored_name, proof.view_name]) {
      for (const path of [
        `/transaction-proofs/${name}`,
        `/public/transaction-proofs/${name}`,
        `/storage/public/transaction-proofs/${name}`,
        `/api/../public/transaction-proofs/${name}`,
        `/%2e%2e/public/transaction-proofs/${name}`,
        `/public%2ftransaction-proofs%2f${name}`,
        `/api/public/transaction-proofs/${name}`,
      ]) {
        const answer = await admin.get(path);
        assert.equal(answer.status, 404, path);
      }
    }
  });
});

describe('the sweep of proofs', () => {
  it('deletes old files that no row speaks of, and fails when a row has lost its file', async () => {
    const filesBefore = onDisk().length;
    const old = join(folder, `${'c'.repeat(32)}.part`);
    const young = join(folder, `${'d'.repeat(32)}.jpg`);
    for (const path of [old, young]) writeFileSync(path, 'left by a crash');
    utimesSync(old, new Date(Date.now() - 2 * HOUR), new Date(Date.now() - 2 * HOUR));
    const last = async () =>
      api.db
        .selectFrom('task_runs')
        .selectAll()
        .where('task', '=', 'sweep-proofs')
        .orderBy('slot', 'desc')
        .executeTakeFirstOrThrow();
    await api.scheduler.tick(new Date(Date.now() + HOUR));
    assert.deepEqual(
      [(await last()).outcome, (await last()).detail],
      ['done', '1 orphaned files deleted, 0 files missing'],
    );
    assert.equal(onDisk().length, filesBefore + 1);

    const proof = await api.db.selectFrom('proofs').selectAll().executeTakeFirstOrThrow();
    await api.deps.files.remove('public/transaction-proofs', proof.stored_name);
    await api.scheduler.tick(new Date(Date.now() + 2 * HOUR));
    const run = await last();
    assert.equal(run.outcome, 'failed');
    assert.ok(run.detail?.includes(proof.id));
    assert.equal(
      (await admin.get(`/api/admin/proofs/${proof.id}/file`, { query: { original: 'true' } }))
        .status,
      404,
    );
  });
});
