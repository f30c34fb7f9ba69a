import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestApi } from '#test/harness.ts';
import { addTotp } from '#test/factories/second-factor.ts';

const api = await startTestApi({ after });

describe('requiring second factors', () => {
  it('is refused for an admin without one, who would be locked out', async () => {
    const { client } = await api.asAdmin();
    const put = async (two_factor_for_admins: string) => {
      const { version, value } = (await client.get('/api/admin/settings/security')).body.data;
      const body = { version, value: { ...value, two_factor_for_admins } };
      return client.put('/api/admin/settings/security', body);
    };
    const refused = await put('on');
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.body.errors.two_factor_for_admins[0], /no second step yet/);
    assert.equal((await client.get('/api/admin/settings/security')).status, 200);
    assert.equal((await put('off')).status, 200);
    assert.equal((await put('default')).status, 200, 'a trial desk demands none by default');
    await addTotp(client, api.clock.now());
    assert.equal((await put('on')).status, 200);
    assert.equal((await put('off')).status, 200);
  });
});
