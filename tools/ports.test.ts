import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { it } from 'node:test';
import { freePort, refuseTakenPort } from './ports.ts';

it('a port that is taken is refused, and another one is named', async () => {
  const port = await freePort();
  await refuseTakenPort('API_LISTEN', { host: '127.0.0.1', port });
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await assert.rejects(refuseTakenPort('API_LISTEN', { host: '127.0.0.1', port }), {
    message: new RegExp(`port ${port} on 127\\.0\\.0\\.1 is already in use`),
  });
  server.close();
});
