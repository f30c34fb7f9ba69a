import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compressed } from './compression.ts';

const text = '<!doctype html>'.padEnd(5_000, 'Cambist ');

function answer(type = 'text/html', more: Record<string, string> = {}): Response {
  return new Response(text, {
    status: 201,
    headers: { 'content-type': type, 'content-length': String(text.length), etag: '"1a"', ...more },
  });
}

function asking(encodings?: string): Request {
  return new Request('http://localhost/', {
    headers: encodings === undefined ? {} : { 'accept-encoding': encodings },
  });
}

describe('compressed', () => {
  it('makes a page smaller for a browser that can read it', async () => {
    const { headers, status, bytes } = await unpacked(
      compressed(asking('gzip, deflate, br'), answer()),
    );
    assert.equal(headers.get('content-encoding'), 'gzip');
    assert.equal(headers.get('vary'), 'accept-encoding');
    assert.equal(headers.get('content-length'), null);
    assert.equal(headers.get('etag'), '"1a-gzip"');
    assert.equal(status, 201);
    assert.ok(bytes.length < 500);
    assert.equal(gunzipSync(bytes).toString(), text);
  });

  it('leaves the answer as it is for clients without gzip, and sets Vary', async () => {
    for (const encodings of [undefined, '', 'br', 'gzip;q=0', 'deflate, gzip;q=0.0, br']) {
      const { headers, bytes } = await unpacked(compressed(asking(encodings), answer()));
      assert.equal(headers.get('content-encoding'), null, `${encodings}`);
      assert.equal(headers.get('vary'), 'accept-encoding');
      assert.equal(headers.get('etag'), '"1a"');
      assert.equal(bytes.toString(), text);
    }
  });

  it('understands every way to offer gzip', () => {
    for (const encodings of [
      'gzip',
      'br,gzip',
      'gzip;q=0.5',
      'deflate, gzip ; q=1.0, br',
      'gzip, br;q=0',
    ]) {
      const { headers } = compressed(asking(encodings), answer());
      assert.equal(headers.get('content-encoding'), 'gzip', encodings);
    }
  });

  it('leaves pictures, compressed answers and answers without a body alone', () => {
    const whole = [
      answer('image/png'),
      answer('text/html', { 'content-encoding': 'br' }),
      new Response(null, { status: 303 }),
    ];
    for (const response of whole) assert.equal(compressed(asking('gzip'), response), response);
  });
});

async function unpacked(response: Response) {
  const { headers, status } = response;
  return { headers, status, bytes: Buffer.from(await response.arrayBuffer()) };
}
