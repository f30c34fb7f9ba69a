import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { freshSettings, settingSchemas } from '@cambist/contract/settings';
import { PASSWORD, type Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { MINUTE } from '#kernel/clock.ts';
import { auth } from '#features/auth/routes.ts';
import { settings } from './routes.ts';

const api = await startTestApi({ after }, { features: [settings, auth] });
const { client: admin } = await api.asAdmin();

async function entry(slug: string): Promise<Json> {
  const answer = await admin.get(`/api/admin/settings/${slug}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

describe('GET /api/admin/settings/{slug}', () => {
  it('brings the schema that the form is made of, as it is written in the contract', async () => {
    for (const [slug, schema] of Object.entries(settingSchemas)) {
      assert.deepEqual((await entry(slug)).schema, JSON.parse(JSON.stringify(schema)), slug);
    }
  });

  it('names the variables that take precedence over a group, without a secret', async () => {
    const env = {
      MAIL_URL: 'smtp://desk:canary-4c1f@mail.example.com:587',
      MAIL_FROM: 'Desk <desk@example.com>',
      GOOGLE_CLIENT_ID: 'google-1d3e',
      GOOGLE_CLIENT_SECRET: 'canary-7f6a',
    };
    const other = await startTestApi({ after }, { features: [settings, auth], env });
    const { client } = await other.asAdmin();
    const overriding = async (slug: string) => {
      const { body, text } = await client.get(`/api/admin/settings/${slug}`);
      assert.ok(!text.includes('canary'), text);
      return body.data.overridden_by;
    };
    assert.deepEqual(await overriding('mail'), ['MAIL_URL', 'MAIL_FROM']);
    assert.deepEqual(await overriding('sign-in-providers'), [
      'GOOGLE_CLIENT_ID',
      'GOOGLE_CLIENT_SECRET',
    ]);
    assert.deepEqual(await overriding('security'), []);
  });
});

describe('PUT /api/admin/settings/{slug} without a fresh confirmation', () => {
  it('is refused with 403 for what opens the desk to others, and passes after one', async () => {
    const { client } = await api.asAdmin();
    api.clock.advance(11 * MINUTE);
    for (const slug of freshSettings) {
      const { version, value } = await entry(slug);
      const ask = () => client.put(`/api/admin/settings/${slug}`, { version, value });
      const late = await ask();
      assert.deepEqual([late.status, late.body.code], [403, 'confirmation_required'], slug);
      assert.equal((await entry(slug)).version, version);
      await client.post('/api/user/confirmation', { password: PASSWORD });
      assert.equal((await ask()).status, 200, slug);
      api.clock.advance(11 * MINUTE);
    }
  });

  it('passes for the others', async () => {
    const others = Object.keys(settingSchemas).filter(
      (slug) => !freshSettings.some((fresh) => fresh === slug),
    );
    assert.deepEqual(others, [
      'home-page',
      'general',
      'seo',
      'sitemap-robots',
      'saved-reasons',
      'feeds',
    ]);
    for (const slug of others) {
      const { version, value } = await entry(slug);
      const answer = await admin.put(`/api/admin/settings/${slug}`, { version, value });
      assert.equal(answer.status, 200, answer.text);
    }
  });
});
