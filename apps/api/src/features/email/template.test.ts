import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkTo } from './outbox.ts';
import { oneLine, renderTemplate } from './template.ts';

const frame = {
  siteName: 'Cambist <&>',
  company: ['Cambist <&>', 'Example Ltd', ''],
  recipient: 'alex@example.com',
  url: 'http://localhost:4000/x?a=1&token=t',
  linkUrl: 'http://localhost:4000/status/t',
  moreUrl: 'http://localhost:4000/y?b=1&c=2',
  contactEmail: 'desk&co@example.com',
};
const content = {
  subject: 'S',
  preview: '"><script>alert(1)</script>',
  heading: '<img src=x onerror=alert(1)>',
  paragraphs: ["It's <b>bold</b>"],
  facts: [{ label: '<td>', value: '</table>' }],
  action: { label: 'Go <now>', path: '/x' },
  link: { label: 'Also <here>', path: '/status/', signs: { purpose: 'p', id: 'i' } },
  more: { label: 'And <there>', path: '/y' },
  note: '<style>',
  contact: 'Write to us <now>',
};

describe('the template', () => {
  it('lets no text of an email become markup', () => {
    const { html } = renderTemplate(content, frame);
    for (const tag of ['<script', '<img', '<b>', '<td>', 'Go <now>', '<here>', '<there>'])
      assert.ok(!html.includes(tag));
    assert.equal(html.match(/<style>/g)?.length, 1);
    assert.ok(html.includes('href="http://localhost:4000/x?a=1&amp;token=t"'));
  });

  it('breaks an address that is wider than a telephone, in its text and in its foot', () => {
    const { html } = renderTemplate(content, {
      ...frame,
      recipient: `${'long'.repeat(15)}@example.com`,
    });
    const broken = html.match(/<td class="(surface|ink-2)"[^>]*overflow-wrap:anywhere/g);
    assert.deepEqual(
      broken?.map((cell) => cell.slice(0, 19)),
      ['<td class="surface"', '<td class="ink-2" s'],
    );
  });

  it('has nothing in its title, its preview and its heading that turns their emails', () => {
    const words = 'Rates\u202e evil';
    const given = { ...content, subject: words, preview: words, heading: words };
    const { html, text } = renderTemplate(given, frame);
    assert.equal(html.match(/Rates evil/g)?.length, 3);
    assert.ok(text.startsWith('Rates evil\n'));
  });

  it('names the desk’s address as a link to write to, where an email asks for it', () => {
    const { html } = renderTemplate(content, frame);
    const link = '<a href="mailto:desk%26co@example.com">desk&amp;co@example.com</a>';
    assert.ok(html.includes(`Write to us &lt;now&gt;: ${link}`));
    const { contact: _contact, ...without } = content;
    const silent = renderTemplate(without, frame);
    for (const text of [silent.html, silent.text]) assert.ok(!text.includes('desk'));
  });

  it('is readable in the dark, and loads nothing', () => {
    const { html } = renderTemplate({ ...content, heading: 'Hello' }, frame);
    assert.ok(html.includes('<meta name="color-scheme" content="light dark">'));
    assert.ok(html.includes('@media (prefers-color-scheme:dark)'));
    assert.doesNotMatch(html, /\b(src|background)=|url\(|@import/i);
  });

  it('says the same as text', () => {
    const { text } = renderTemplate(content, frame);
    assert.equal(
      text,
      `<img src=x onerror=alert(1)>

It's <b>bold</b>

<td>: </table>

Go <now>:
http://localhost:4000/x?a=1&token=t

Also <here>:
http://localhost:4000/status/t

And <there>:
http://localhost:4000/y?b=1&c=2

<style>

Write to us <now>: desk&co@example.com

-- 
Cambist <&> · Example Ltd
This email was sent to alex@example.com.
`,
    );
  });

  it('says which language its words are in', () => {
    assert.match(renderTemplate(content, frame).html, /<html lang="en">/);
    assert.match(renderTemplate({ ...content, language: 'de' }, frame).html, /<html lang="de">/);
  });

  it('has no button without an address', () => {
    const { html, text } = renderTemplate(content, { ...frame, url: null, linkUrl: null });
    assert.ok(!html.includes('class="button"') && !text.includes('Go'));
  });
});

describe('a link', () => {
  it('leads to the frontend, with its token as the last of its words', () => {
    const base = 'https://www.example.com';
    assert.equal(linkTo(base, '/verify-email', 'a b&c'), `${base}/verify-email?token=a+b%26c`);
    assert.equal(linkTo(base, '/x?next=%2Fy', 't'), `${base}/x?next=%2Fy&token=t`);
    assert.equal(linkTo(base, '/x', null), `${base}/x`);
    for (const path of [
      '//evil.example.com/x',
      'https://evil.example.com',
      '/\\evil.example.com',
    ]) {
      assert.throws(() => linkTo(base, path, 't'), /leads elsewhere/, path);
    }
  });
});

describe('a word for a header', () => {
  it('is one short line', () => {
    assert.equal(oneLine(' a\r\n\tb\u0000c\u2028d\u0085e '), 'a b c d e');
    assert.equal(oneLine('😀'.repeat(300)), '😀'.repeat(200));
    assert.equal(oneLine('Rates\u202e evil\u202c'), 'Rates evil');
  });
});
