/** What links to a post, or a legal page, is noted as each text is saved: migrations 0053 to 0055, and 0065. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { DAY } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: editor } = await api.asAdmin();
const posts = '/api/admin/blogs';
const pages = '/api/admin/legal-pages';

const { host } = new URL(api.deps.config.frontendUrl);
const linkTo = (slug: string) => `<p>See <a href="/blog/${slug}">there</a>.</p>`;
const begin = async (title: string): Promise<Json> =>
  (await editor.post(posts, { title })).body.data;

async function put(path: string, { version, content }: Json, change: Json): Promise<Json> {
  const answer = await editor.put(path, { version, content: { ...content, ...change } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const reread = async ({ id }: Json): Promise<Json> =>
  (await editor.get(`${posts}/${id}`)).body.data;
const savePost = (post: Json, body: string) => put(`${posts}/${post.id}/draft`, post, { body });

async function publishPost({ id, version }: Json): Promise<Json> {
  const plan = { version, publish_at: null };
  return (await editor.post(`${posts}/${id}/publication`, plan)).body.data;
}

async function saveSettings(slug: string, changeOf: (value: Json) => Json): Promise<void> {
  const path = `/api/admin/settings/${slug}`;
  const { version, value } = (await editor.get(path)).body.data;
  const answer = await editor.put(path, { version, value: { ...value, ...changeOf(value) } });
  assert.equal(answer.status, 200, answer.text);
}

async function linking({ id }: Json): Promise<unknown[]> {
  const answer = await editor.get(`${posts}/${id}/links`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map(({ kind, title }: Json) => `${kind} ${title}`);
}

it('a post whose public text links to it, though its working copy does no more', async () => {
  const target = await begin('First target');
  const written = await savePost(await begin('In public'), linkTo('first-target'));
  assert.deepEqual(await linking(target), ['post In public']);
  let post = await savePost(await publishPost(written), '<p>Nothing.</p>');
  assert.deepEqual(await linking(target), ['post In public']);
  // The address may stand there in capitals: the site leads on from it.
  post = await savePost(await publishPost(post), linkTo('First-Target?a=b'));
  assert.deepEqual(await linking(target), ['post In public']);
  post = await savePost(post, '<p>Nothing.</p>');
  assert.deepEqual(await linking(target), []);
  // Off the site, the text that was public is nobody's.
  post = await publishPost(await savePost(post, linkTo('first-target')));
  post = await savePost(post, '<p>Nothing.</p>');
  assert.deepEqual(await linking(target), ['post In public']);
  assert.equal((await editor.delete(`${posts}/${post.id}/publication`)).status, 200);
  assert.deepEqual(await linking(target), []);
  // Nor is one that is gone, or the post itself.
  const gone = await savePost(await begin('Gone'), linkTo('first-target'));
  await savePost(target, linkTo('first-target'));
  assert.deepEqual(await linking(target), ['post Gone']);
  assert.equal((await editor.delete(`${posts}/${gone.id}`)).status, 204);
  assert.deepEqual(await linking(target), []);
  const left = await api.db.selectFrom('post_links').select('subject_id').execute();
  assert.deepEqual(left, [{ subject_id: target.id }]);
});

it('a legal page by its working copy, and by the versions in force or announced', async () => {
  const target = await begin('Second target');
  const link = linkTo('second-target');
  let page = (await editor.post(pages, { title: 'Fees' })).body.data;
  const save = async (body: string, effective_on: string | null = null) => {
    page = await put(`${pages}/${page.id}/draft`, page, { body, change: 'Words.', effective_on });
  };
  const publish = async () => {
    const answer = await editor.post(`${pages}/${page.id}/publication`, { version: page.version });
    assert.equal(answer.status, 200, answer.text);
    page = answer.body.data;
  };
  const is = async (told: boolean, what: string) =>
    assert.deepEqual(await linking(target), told ? ['legal_page Fees'] : [], what);
  await save(link);
  await is(true, 'the working copy');
  await publish();
  await save('<p>Nothing.</p>');
  await is(true, 'in force');
  await publish();
  await is(false, 'replaced');
  const soon = new Date(api.clock.now().getTime() + 3 * DAY).toISOString().slice(0, 10);
  await save(link, soon);
  await publish();
  await save('<p>Nothing more.</p>');
  await is(true, 'announced');
  assert.equal((await editor.delete(`${pages}/${page.id}/publication`)).status, 200);
  await is(false, 'off the site');
});

it('words that only name its address lead nobody there', async () => {
  const target = await begin('Third target');
  const words = '/blog/third-target';
  const named = `<p>See ${words}. <code>href="${words}"</code> &lt;a href="${words}"&gt;</p>`;
  const elsewhere = [
    '/blog/third-target/more',
    '/blog/third-target.xml',
    '/rates?from=/blog/third-target',
    'https://elsewhere.test/blog/third-target',
    'https://elsewhere.test:4000/blog/third-target',
  ]
    .map((href) => `<p><a href="${href}">there</a></p>`)
    .join('');
  const post = await savePost(await begin('Names it'), named + elsewhere);
  await saveSettings('home-page', ({ footer }) => ({ footer: { ...footer, note: words } }));
  await saveSettings('sitemap-robots', () => ({ disallow: [words] }));
  assert.deepEqual(await linking(target), []);
  for (const href of [
    `${words}#end`,
    `${words}/`,
    `https://${host}${words}?a=b`,
    `http://${host.toUpperCase()}${words}`,
  ]) {
    // An address that leads off the site has another attribute beside it.
    await savePost(await reread(post), `${named}<p>And <a href="${href}">there</a>.</p>`);
    assert.deepEqual(await linking(target), ['post Names it'], href);
    await savePost(await reread(post), named);
    assert.deepEqual(await linking(target), [], href);
  }
  const links = [{ label: 'There', href: words }];
  const columns = [{ title: 'Reading', links }];
  await saveSettings('home-page', ({ footer }) => ({ footer: { ...footer, columns } }));
  assert.deepEqual(await linking(target), ['settings home-page']);
});

it('what leads to a legal page, but the footer', async () => {
  const link = (href: string) => `<p><a href="${href}">there</a></p>`;
  const beginPage = async (title: string): Promise<Json> =>
    (await editor.post(pages, { title })).body.data;
  const savePage = (page: Json, body: string) => put(`${pages}/${page.id}/draft`, page, { body });
  const page = await savePage(await beginPage('House rules'), link('/house-rules'));
  const moved = { version: page.version, slug: 'our-rules' };
  const published = await editor.post(`${pages}/${page.id}/publication`, { version: page.version });
  moved.version = published.body.data.version;
  assert.equal((await editor.put(`${pages}/${page.id}/address`, moved)).status, 200);

  await savePost(await begin('By its address'), link('/our-rules#fees'));
  await savePost(await begin('By a former one'), link(`https://${host}/House-Rules/`));
  await savePage(await beginPage('Beside it'), link('/our-rules?version=1'));
  const { id, version } = (await editor.post('/api/admin/campaigns')).body.data;
  const letter = { version, subject: 'In a letter', preview: '', locale: null };
  await editor.put(`/api/admin/campaigns/${id}`, { ...letter, body: link('/our-rules') });
  const columns = [{ title: 'Rules', links: [{ label: 'Ours', href: '/our-rules' }] }];
  await saveSettings('home-page', ({ footer }) => ({ footer: { ...footer, columns } }));
  const elsewhere = ['/blog/our-rules', '/our-rules/more', 'https://elsewhere.test/our-rules'];
  await savePost(await begin('Elsewhere'), elsewhere.map(link).join(''));

  const answer = await editor.get(`${pages}/${page.id}/links`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    answer.body.data.map(({ kind, title }: Json) => `${kind} ${title}`),
    ['post By a former one', 'post By its address', 'legal_page Beside it', 'campaign In a letter'],
  );
  assert.equal((await editor.get(`${pages}/${crypto.randomUUID()}/links`)).status, 404);
});

it('of each kind no more than 50, what can be mended before the letters that are out', async () => {
  const link = '<p><a href="/many-links">there</a></p>';
  const page = (await editor.post(pages, { title: 'Many links' })).body.data;
  const ask = async (): Promise<Json> => (await editor.get(`${pages}/${page.id}/links`)).body;
  const now = api.clock.now();
  const times = { created_at: now, updated_at: now };
  const letters = async (count: number, subject: string, started_at: Date | null) => {
    const made = { subject, body: link, started_at, ...times };
    const values = Array.from({ length: count }, () => ({ id: crypto.randomUUID(), ...made }));
    await api.db.insertInto('campaigns').values(values).execute();
  };
  await savePost(await begin('Leads there'), link);
  await letters(1, 'Waiting', null);
  await letters(50, 'Out', now);
  const kinds = ['post', 'campaign', ...Array<string>(50).fill('sent_campaign')];
  const whole = await ask();
  assert.deepEqual([whole.data.map(({ kind }: Json) => kind), whole.has_more], [kinds, false]);
  await letters(1, 'Out', now);
  const cut = await ask();
  assert.deepEqual([cut.data.map(({ kind }: Json) => kind), cut.has_more], [kinds, true]);
});
