import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { join } from 'node:path';
import { apiBuild } from './api-build.ts';
import { isBuilt, makeBuild } from './build-folder.ts';

it('an error of the bundled API names the lines of its sources', async () => {
  if (!isBuilt(apiBuild)) await makeBuild(apiBuild);
  const { stderr, status } = spawnSync(
    process.execPath,
    [join(apiBuild.folder, 'current/main.js')],
    {
      env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none?statement_timeout=0' },
      encoding: 'utf8',
    },
  );
  assert.match(stderr, /at \S+ \(\S+\/apps\/api\/src\/platform\/db\/database\.ts:\d+:\d+\)/);
  assert.doesNotMatch(stderr, /main\.js:\d/);
  assert.equal(status, 1);
});
