import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, describe, it } from 'node:test';
import { create, proofFiles, startTestDesk } from '#test/factories/exchange.ts';

const { api } = await startTestDesk({ after });
const { client: owner } = await api.asMember();

const onDisk = () => proofFiles(api);
const pathOf = (number: string) => `/api/exchanges/${number}/proofs`;

describe('an upload over a socket', () => {
  const boundary = 'xXxXxXxX';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="proof"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;

  async function ask(headers: Record<string, string | number>) {
    const { client } = await api.asMember();
    const { number: mine } = await create(client);
    const url = new URL(pathOf(mine), await api.url());
    return httpRequest(url, {
      method: 'POST',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        origin: 'http://localhost:4000',
        cookie: [...client.jar].map((pair) => pair.join('=')).join('; '),
        'x-xsrf-token': client.jar.get('XSRF-TOKEN') ?? '',
        ...headers,
      },
    });
  }

  const answerTo = (request: ReturnType<typeof httpRequest>) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
      (resolve, reject) => {
        request.on('error', reject);
        request.on('response', (response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => (body += chunk.toString()));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          );
        });
      },
    );

  it('over 8 MiB is 413 as JSON with CORS headers, whether it says its length or not', async () => {
    const files = onDisk().length;
    const declared = await ask({ 'content-length': 9 * 1024 * 1024 });
    const first = answerTo(declared);
    declared.write(head);
    const chunked = await ask({ 'transfer-encoding': 'chunked' });
    const second = answerTo(chunked);
    chunked.write(head);
    for (let count = 0; count < 9; count += 1) chunked.write(Buffer.alloc(1024 * 1024));
    for (const answer of [await first, await second]) {
      assert.equal(answer.status, 413);
      assert.deepEqual(Object.keys(JSON.parse(answer.body)), ['message', 'code']);
      assert.equal(answer.headers['access-control-allow-origin'], 'http://localhost:4000');
      assert.equal(answer.headers['access-control-allow-credentials'], 'true');
    }
    declared.destroy();
    chunked.destroy();
    assert.equal(onDisk().length, files);
  });

  it('that is broken off leaves nothing on the disk, and the service alive', async () => {
    const files = onDisk().length;
    const upload = await ask({ 'transfer-encoding': 'chunked' });
    upload.on('error', () => undefined);
    upload.write(head);
    upload.write(Buffer.alloc(512 * 1024, 1));
    await until(() => onDisk().length === files + 1);
    upload.destroy();
    await until(() => onDisk().length === files);
    assert.equal((await owner.get('/api/exchanges')).status, 200);
  });

  it('that ends in the middle of its part is 422', async () => {
    const files = onDisk().length;
    const half = await ask({ 'transfer-encoding': 'chunked' });
    const answer = answerTo(half);
    half.end(`${head}half a picture`);
    assert.equal((await answer).status, 422);
    assert.equal(onDisk().length, files);
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    assert.ok(tries < 200, 'waited too long');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
