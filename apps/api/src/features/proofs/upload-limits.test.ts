/** Uploads that are refused early, and inspections that do not block others. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '#app/app.ts';
import { features } from '#app/features.ts';
import { LEAST_FREE_BYTES, type Files } from '#platform/files/files.ts';
import { Client } from '#test/client.ts';
import {
  cancel,
  create,
  openDesk,
  picture,
  proofFiles,
  startTestDesk,
  upload,
} from '#test/factories/exchange.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { onePage, plainPdf } from '#test/factories/pdf.ts';
import { countUpload } from './quota.ts';

const { api } = await startTestDesk({ after });
const pathOf = (number: string) => `/api/exchanges/${number}/proofs`;
const sendPdf = (client: Client, number: string, bytes: Uint8Array) =>
  client.upload(pathOf(number), 'proof', { bytes, name: 'a.pdf', type: 'application/pdf' });
const sendPicture = async (client: Client, number: string) =>
  client.upload(pathOf(number), 'proof', {
    bytes: await picture(),
    name: 'a.jpg',
    type: 'image/jpeg',
  });
const broken = Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF\n');

describe('a proof that cannot be accepted', () => {
  it('is not inspected: what is wrong with it is not said', async () => {
    const { client } = await api.asMember();
    const over = await create(client);
    await upload(client, over.number);
    await cancel(client, over);
    const full = await create(client);
    for (let count = 0; count < 5; count += 1) await upload(client, full.number);
    const files = proofFiles(api).length;
    for (const [number, code] of [
      [over.number, 'exchange_not_payable'],
      [full.number, 'too_many_proofs'],
    ] as const) {
      const answer = await sendPdf(client, number, broken);
      assert.deepEqual([answer.status, answer.body.code], [409, code]);
    }
    assert.equal(proofFiles(api).length, files);
  });
});

describe('while PDFs are inspected', () => {
  it('others are answered', async () => {
    const { client } = await api.asMember();
    const { number } = await create(client);
    // Parsing takes quadratic time, which only the time-out ends.
    const objects = Array.from({ length: 20_000 }, (_, at) => `${at + 1} 0 obj\n<<>>stream\n`);
    const endless = Buffer.from(`%PDF-1.4\n${objects.join('')}\n%%EOF\n`);
    const answered: string[] = [];
    const uploads = [1, 2].map(async () => {
      const answer = await sendPdf(client, number, endless);
      answered.push('upload');
      return answer;
    });
    await receivedFiles(2, endless.byteLength);
    assert.equal((await api.client().get('/api/public/currencies-converter')).status, 200);
    answered.push('read');
    for (const answer of await Promise.all(uploads)) {
      assert.deepEqual(answer.body.errors, {
        proof: ['The proof takes too long to read. Print it to a new PDF, or take a screenshot.'],
      });
    }
    assert.deepEqual(answered, ['read', 'upload', 'upload']);
    assert.equal((await sendPdf(client, number, plainPdf(onePage()))).status, 201);
  });
});

async function receivedFiles(count: number, sizeBytes: number): Promise<void> {
  const folder = join(api.deps.config.dataDir, 'public/transaction-proofs');
  const whole = () =>
    readdirSync(folder).filter((name) => statSync(join(folder, name)).size === sizeBytes);
  while (whole().length < count) await sleep(5);
}

describe('the daily quota of a person', () => {
  const DAY_BYTES = 100 * 1024 * 1024;

  async function person(there: TestApi, sent: { files: number; size_bytes: number }) {
    const { client, user } = await there.asMember();
    const row = { user_id: user.id, size_bytes: sent.size_bytes };
    const rows = Array.from({ length: sent.files }, () => row);
    await there.db.insertInto('proof_uploads').values(rows).execute();
    const yesterday = () =>
      there.deps.sql`update proof_uploads set received_at = received_at - interval '24 hours'`;
    return { client, user, yesterday };
  }

  it('takes no more than forty when all come at once', async (t) => {
    const there = await startTestApi(t, { env: { THROTTLE_SCALE: '1' } });
    const { user } = await there.asMember();
    const counted = await Promise.allSettled(
      Array.from({ length: 60 }, () => countUpload(there.deps, user.id, '1')),
    );
    assert.equal(counted.filter(({ status }) => status === 'fulfilled').length, 40);
  });

  it('counts files and bytes of all exchanges, also when they come at once (429)', async (t) => {
    const there = await startTestApi(t, { env: { THROTTLE_SCALE: '1' } });
    await openDesk((await there.asAdmin()).client);
    const { client, yesterday } = await person(there, { files: 38, size_bytes: 1 });
    const exchanges = [await create(client), await create(client)];
    const answers = await Promise.all(
      [0, 1, 0, 1].map((at) => sendPicture(client, exchanges[at]?.number)),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    assert.equal(refused?.body.code, 'too_many_uploads');
    const seconds = Number(refused?.headers['retry-after']);
    assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds));
    assert.equal(proofFiles(there).length, 4, 'nothing of what was refused');

    await yesterday();
    assert.equal((await sendPicture(client, exchanges[0]?.number)).status, 201);

    const heavy = await person(there, { files: 1, size_bytes: DAY_BYTES - 5000 });
    const { number } = await create(heavy.client);
    const sent = { name: 'a.jpg', type: 'image/jpeg', bytes: Buffer.alloc(6000) };
    const over = await heavy.client.upload(pathOf(number), 'proof', sent);
    assert.deepEqual([over.status, over.body.code], [429, 'too_many_uploads']);
    assert.equal((await sendPicture(heavy.client, number)).status, 201);
  });

  it('counts what was refused when it was inspected, and forgets it after a day', async (t) => {
    const there = await startTestApi(t, { env: { THROTTLE_SCALE: '1' } });
    await openDesk((await there.asAdmin()).client);
    const { client, yesterday } = await person(there, { files: 39, size_bytes: 1 });
    const { number } = await create(client);
    assert.equal((await sendPdf(client, number, broken)).status, 422);
    assert.equal((await sendPicture(client, number)).status, 429);
    await yesterday();
    await there.scheduler.tick();
    const rows = await there.db.selectFrom('proof_uploads').selectAll().execute();
    assert.deepEqual(rows, []);
  });
});

describe('while the disk is nearly full', () => {
  it('every upload is refused before it is read, and counts for nothing (503)', async (t) => {
    const there = await startTestApi(t, { env: { THROTTLE_SCALE: '1' } });
    const { client: operator } = await there.asAdmin();
    await openDesk(operator);
    const { client } = await there.asMember();
    const { number } = await create(client);
    let freeBytes = LEAST_FREE_BYTES - 1;
    const files: Files = {
      ...there.deps.files,
      freeBytes: async () => freeBytes,
      receive(...args) {
        assert.equal(freeBytes, LEAST_FREE_BYTES, 'read although there is no room');
        return there.deps.files.receive(...args);
      },
    };
    const app = await buildApp({ ...there.deps, files }, features);
    t.after(() => app.close());
    const through = (from: Client) => {
      const to = new Client(app, there.deps.config.frontendUrl);
      for (const [name, value] of from.jar) to.jar.set(name, value);
      return to;
    };
    const file = { bytes: await picture(), name: 'a.jpg', type: 'image/jpeg' };
    for (const [from, path, field] of [
      [client, pathOf(number), 'proof'],
      [operator, '/api/admin/media', 'file'],
    ] as const) {
      const answer = await through(from).upload(path, field, file);
      assert.deepEqual([answer.status, answer.body.code], [503, 'storage_full'], path);
      assert.equal(answer.headers['retry-after'], '60');
      assert.deepEqual(Object.keys(answer.body), ['message', 'code']);
    }
    assert.deepEqual(await there.db.selectFrom('proof_uploads').selectAll().execute(), []);
    freeBytes += 1;
    await upload(through(client), number);
  });
});
