/** Posts are found by the words that a reader sees in them, whatever stands around those. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: editor } = await api.asAdmin();
const path = (id: string, rest: string) => `/api/admin/blogs/${id}/${rest}`;

const BODY =
  '<table><thead><tr><th>Channel</th><th>Margin</th></tr></thead><tbody><tr><td>Zebrafee / SEPA</td>' +
  '<td>0.25</td><td>Quokka</td></tr></tbody></table><p>The “wombat” rule.<br>Öl next</p>' +
  '<ul><li>Item<ul><li>Nested</li></ul></li></ul><p>نرخ «گیومه» ۱٫۱۵ است، کارمزد. می\u200cخواهم 東京、円。</p>' +
  '<p>Prüfung cafe\u0301 naïve Straße ZŁOTY, plain uber, мой</p>';

async function publish(title: string, body: string): Promise<Json> {
  const { data: post } = (await editor.post('/api/admin/blogs', { title })).body;
  const content = { ...post.content, body };
  const saved = await editor.put(path(post.id, 'draft'), { version: post.version, content });
  assert.equal(saved.status, 200, saved.text);
  const plan = { version: saved.body.data.version, publish_at: null };
  const answer = await editor.post(path(post.id, 'publication'), plan);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function total(list: string): Promise<number> {
  const { status, body, text } = await editor.get(list);
  assert.equal(status, 200, text);
  return body.meta.total;
}

const found = async (words: string) => {
  const asked = `blogs?q=${encodeURIComponent(words)}`;
  const [site, desk] = [await total(`/api/public/${asked}`), await total(`/api/admin/${asked}`)];
  assert.equal(site, desk, words);
  return site;
};

describe('the words of a post', () => {
  before(() => publish('Fees', BODY));

  for (const words of [
    'Channel',
    'Margin',
    'Zebrafee',
    'SEPA',
    '0.25',
    '25',
    'quokka',
    'wombat',
    '“WOMBAT”',
    'rule',
    'next',
    'öl',
    'ÖL',
    'item',
    'nested',
    'گیومه',
    '«گیومه»',
    '۱٫۱۵',
    'کارمزد',
    'می\u200cخواهم',
    '円',
    'prufung',
    'PRÜFUNG',
    'café naive',
    'Straße',
    'złoty',
    'über',
  ]) {
    it(`are found: ${words}`, async () => assert.equal(await found(words), 1));
  }
});
