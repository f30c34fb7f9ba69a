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
  await assert.rejects(refuseUnfitPort('WEB_LISTEN', { host: '127.0.0.1', port: 5061 }), {
    message: /No browser opens a page at port 5061.*WEB_LISTEN=127\.0\.0\.1:5161/,
  });
});
