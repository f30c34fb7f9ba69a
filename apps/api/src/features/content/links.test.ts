/** What links to a post, a legal page or a picture, asked before it is deleted. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { DAY } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: editor } = await api.asAdmin();
const posts = '/api/admin/blogs';
const pages = '/api/admin/legal-pages';
const { host } = new URL(api.deps.config.frontendUrl);
const linkTo = (path: string) => `<p>See <a href="${path}">there</a>.</p>`;

const create = async (path: string, title: string): Promise<Json> =>
  (await editor.post(path, { title })).body.data;

async function save(path: string, { id, version, content }: Json, change: Json): Promise<Json> {
  const body = { version, content: { ...content, ...change } };
  const answer = await editor.put(`${path}/${id}/draft`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function publish(path: string, { id, version }: Json): Promise<Json> {
  const plan = path === posts ? { version, publish_at: null } : { version };
  const answer = await editor.post(`${path}/${id}/publication`, plan);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function saveSettings(slug: string, change: (value: Json) => Json): Promise<void> {
  const path = `/api/admin/settings/${slug}`;
  const { version, value } = (await editor.get(path)).body.data;
  const answer = await editor.put(path, { version, value: { ...value, ...change(value) } });
  assert.equal(answer.status, 200, answer.text);
}

async function linking(path: string, { id }: Json): Promise<string[]> {
  const answer = await editor.get(`${path}/${id}/links`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map(({ kind, title }: Json) => `${kind} ${title}`);
}

describe('a post', () => {
  it('is linked from drafts, public texts, settings and campaigns, at each of its addresses', async () => {
    let target = await save(posts, await create(posts, 'First target'), { body: '<p>Text.</p>' });
    target = await publish(posts, target);
    target = await publish(posts, await save(posts, target, { slug: 'moved-target' }));

    let post = await save(posts, await create(posts, 'In public'), {
      body: linkTo('/blog/First-Target?a=b'),
    });
    post = await publish(posts, post);
    await save(posts, post, { body: '<p>Nothing.</p>' });
    await save(posts, await create(posts, 'In a draft'), {
      body: linkTo(`https://${host}/blog/moved-target#end`),
    });
    await saveSettings('home-page', ({ footer }) => ({
      footer: {
        ...footer,
        columns: [{ title: 'More', links: [{ label: 'Read', href: '/blog/moved-target' }] }],
      },
    }));
    const { id, version } = (await editor.post('/api/admin/campaigns')).body.data;
    const campaign = { version, subject: 'News', preview: '', locale: null };
    const body = linkTo('/blog/moved-target/');
    const made = await editor.put(`/api/admin/campaigns/${id}`, { ...campaign, body });
    assert.equal(made.status, 200, made.text);
    assert.deepEqual((await linking(posts, target)).toSorted(), [
      'campaign News',
      'post In a draft',
      'post In public',
      'settings home-page',
    ]);
  });

  it('is not linked by a mention, a longer address or another host', async () => {
    const target = await create(posts, 'Mentioned');
    await save(posts, await create(posts, 'Mentions it'), {
      body: `<p>/blog/mentioned <code>href="/blog/mentioned</code>
        <a href="/blog/mentioned-too">a</a> <a href="https://other.test/blog/mentioned">b</a>
        <a href="/blog/mentioned">its own</a></p>`.replace('<a href="/blog/mentioned">', '<a>'),
    });
    await save(posts, target, { body: linkTo('/blog/mentioned') });
    assert.deepEqual(await linking(posts, target), []);
  });
});

it('a legal page is linked from versions in force or announced, and not from past ones or the footer', async () => {
  const target = await create(pages, 'Fees');
  let page = await save(pages, await create(pages, 'Terms of it'), { body: linkTo('/fees') });
  page = await publish(pages, page);
  page = await save(pages, page, { body: '<p>Nothing.</p>', change: 'No link.' });
  assert.deepEqual(await linking(pages, target), ['legal_page Terms of it']);
  const tomorrow = new Date(api.clock.now().getTime() + DAY).toISOString().slice(0, 10);
  page = await publish(pages, await save(pages, page, { effective_on: tomorrow }));
  assert.deepEqual(await linking(pages, target), ['legal_page Terms of it']);
  page = await save(pages, page, { summary: 'At once.', change: 'At once.' });
  await publish(pages, page);
  assert.deepEqual(await linking(pages, target), []);
  await saveSettings('home-page', ({ footer }) => ({
    footer: { ...footer, columns: [{ title: 'More', links: [{ label: 'Fees', href: '/fees' }] }] },
  }));
  assert.deepEqual(await linking(pages, target), []);
});

describe('a picture', () => {
  it('is deleted only once nothing shows it', async () => {
    const create4 = { width: 400, height: 200, channels: 3, background: '#0b6b4c' } as const;
    const bytes = await sharp({ create: create4 }).jpeg().toBuffer();
    const upload = { bytes, name: 'a.jpg', type: 'image/jpeg' };
    const item = (await editor.upload('/api/admin/media', 'file', upload)).body.data;
    const remove = async () => {
      const { status, body } = await editor.delete(`/api/admin/media/${item.id}`);
      return [status, body?.code];
    };
    const media = '/api/admin/media';
    assert.deepEqual(await linking(media, item), []);

    let post = await create(posts, 'With a picture');
    post = await publish(posts, await save(posts, post, { cover: item.path, body: '<p>a</p>' }));
    post = await save(posts, post, { cover: null });
    await saveSettings('seo', () => ({ og_image: item.path }));
    assert.deepEqual(await linking(media, item), ['settings seo', 'post With a picture']);
    assert.deepEqual(await remove(), [409, 'media_in_use']);

    post = await publish(posts, post);
    await saveSettings('seo', () => ({ og_image: null }));
    assert.deepEqual(await linking(media, item), []);
    assert.deepEqual(await remove(), [204, undefined]);
    assert.deepEqual(await remove(), [404, 'not_found']);
  });

  it('stays while a version of a legal page shows it, however old', async () => {
    const create4 = { width: 300, height: 200, channels: 3, background: '#6b0b4c' } as const;
    const bytes = await sharp({ create: create4 }).jpeg().toBuffer();
    const upload = { bytes, name: 'b.jpg', type: 'image/jpeg' };
    const item = (await editor.upload('/api/admin/media', 'file', upload)).body.data;
    const body = `<p>a</p><img src="${item.path}" alt="">`;
    let page = await publish(pages, await save(pages, await create(pages, 'Pictured'), { body }));
    page = await save(pages, page, { body: '<p>a</p>', change: 'No picture.' });
    await publish(pages, page);
    assert.deepEqual(await linking('/api/admin/media', item), ['legal_page Pictured']);
  });
});
