/** What the console shows of somebody who is about to change their address. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });

describe('GET /api/admin/users/{id}', () => {
  it('200: names a new address that waits for its proof', async () => {
    const { client: admin } = await api.asAdmin();
    const { client, user } = await api.asMember();
    const path = `/api/admin/users/${user.id}`;
    const pending = async () => (await admin.get(path)).body.data.pending_email;
    assert.equal(await pending(), null);
    const email = `new.${user.email}`;
    const asked = await client.put('/api/user/email', { email, current_password: PASSWORD });
    assert.equal(asked.status, 202, asked.text);
    assert.equal(await pending(), email);
  });
});
