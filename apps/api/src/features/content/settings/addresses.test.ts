/** Links in settings are stored encoded, as pages contain them. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startTestApi } from '#test/harness.ts';
import { auth } from '#features/auth/routes.ts';
import { settings } from './routes.ts';

const api = await startTestApi({ after }, { features: [settings, auth] });
const { client: admin } = await api.asAdmin();

const href = 'https://x.test/a|b{c}%7C?d=^`"#e\\f';
const written = 'https://x.test/a%7Cb%7Bc%7D%7C?d=%5E%60%22#e%5Cf';

const home = async () => (await admin.get('/api/admin/settings/home-page')).body.data;
const shown = async () => {
  const { body } = await api.client().get('/api/settings/home-page');
  return [body.data.social[0].href, body.data.footer.columns[0].links[0].href];
};

it('addresses in settings are written with what they may hold', async () => {
  const { version, value } = await home();
  const footer = { ...value.footer, columns: [{ title: 'A|B', links: [{ label: '{x}', href }] }] };
  const social = [{ network: 'x', href }];
  const answer = await admin.put('/api/admin/settings/home-page', {
    version,
    value: { ...value, footer, social },
  });
  assert.equal(answer.status, 200, answer.text);
  const { title, links } = answer.body.data.value.footer.columns[0];
  assert.deepEqual([title, links[0].label], ['A|B', '{x}']);
  const kept = await api.db
    .selectFrom('settings')
    .select('value')
    .where('slug', '=', 'home-page')
    .executeTakeFirstOrThrow();
  assert.ok(JSON.stringify(kept.value).includes(JSON.stringify(written)));
  assert.deepEqual(await shown(), [written, written]);
});

it('addresses that are too long once they are encoded are refused, each at its place', async () => {
  const { version, value } = await home();
  const put = (signs: number) => {
    const social = [{ network: 'x', href: `https://x.test/${'|'.repeat(signs)}` }];
    return admin.put('/api/admin/settings/home-page', { version, value: { ...value, social } });
  };
  // 15 letters before, and three for each sign.
  const { status, body } = await put(162);
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(body.errors), ['social.0.href']);
  assert.match(body.errors['social.0.href'][0], /must not be greater than 500 characters/);
  const kept = await put(161);
  assert.equal(kept.status, 200, kept.text);
  assert.equal(kept.body.data.value.social[0].href.length, 498);
});

it('a link of the footer that nobody sees is refused', async () => {
  const { version, value } = await home();
  for (const label of ['', ' ', '\u3164', '\u200b\u2800']) {
    const footer = { ...value.footer, columns: [{ title: '', links: [{ label, href: '/' }] }] };
    const body = { version, value: { ...value, footer } };
    const answer = await admin.put('/api/admin/settings/home-page', body);
    assert.equal(answer.status, 422, label);
    assert.deepEqual(answer.body.errors, {
      'footer.columns.0.links.0.label': ['The label of link 1 of footer column 1 is required.'],
    });
  }
});
