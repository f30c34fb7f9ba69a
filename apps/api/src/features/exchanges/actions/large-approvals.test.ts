import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD } from '#test/client.ts';
import { approve, claim, deskPath, startTestDesk, submitted } from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });

describe('an approval above the limit of the settings', () => {
  it('answers 403 without a fresh confirmation, and then succeeds with the same key', async () => {
    const { client } = await api.asMember();
    const small = await claim(admin, await submitted(client, '100'));
    const large = await claim(admin, await submitted(client, '100.01'));
    const value = {
      two_factor_for_admins: 'default',
      fresh_approval_above: [{ currency: large.send.slug, amount: '100.000' }],
    };
    const written = await admin.put('/api/admin/settings/security', { version: 0, value });
    assert.equal(written.status, 200, written.text);
    api.clock.advance(10 * MINUTE);

    await approve(admin, small);
    const body = { version: large.version, received_amount: large.send_amount };
    const key = randomUUID();
    const ask = () => admin.post(deskPath(large.number, '/approval'), body, { key });
    const late = await ask();
    assert.deepEqual([late.status, late.body.code], [403, 'confirmation_required']);
    await admin.post('/api/user/confirmation', { password: PASSWORD });
    assert.equal((await ask()).status, 200);
  });
});
