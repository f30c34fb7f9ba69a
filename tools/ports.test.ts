import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { it } from 'node:test';
import { freePort, refuseUnfitPort } from './ports.ts';

it('a port is refused that is taken, or that no browser opens, and another is named', async () => {
  const port = await freePort();
  await refuseUnfitPort('API_LISTEN', { host: '127.0.0.1', port });
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await assert.rejects(refuseUnfitPort('API_LISTEN', { host: '127.0.0.1', port }), {
    message: new RegExp(`port ${port} on 127\\.0\\.0\\.1 is already in use`),
  });
  server.close();
  for (const [blocked, next] of [
    [5061, 5161],
    [6566, 6766],
  ] as const) {
    await assert.rejects(refuseUnfitPort('WEB_LISTEN', { host: '127.0.0.1', port: blocked }), {
      message: new RegExp(`at port ${blocked},.*WEB_LISTEN=127\\.0\\.0\\.1:${next}`),
    });
  }
});
