import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { attacks } from '@cambist/html/attacks';
import { startTestApi } from '#test/harness.ts';
import { emailBody } from './email-body.ts';

const { db } = await startTestApi({ after });
const made = (html: string) => emailBody(db, 'https://desk.example', html);

describe('the words of a campaign as an email', () => {
  it('have whole addresses, and styles where mailboxes look for them', async () => {
    const { html } = await made('<h2>Rates</h2><p>See <a href="/rates?a=1&amp;b=2">them</a>.</p>');
    assert.match(html, /<h2 class="ink" dir="auto" style="[^"]+">Rates<\/h2>/);
    assert.match(html, /href="https:\/\/desk\.example\/rates\?a=1&amp;b=2"/);
    const picture =
      '<p><img src="/media/abcdefghij234567-1920.webp" alt="A &quot;map&quot;" width="1920" height="1080"></p>';
    const { html: shown, text } = await made(picture);
    assert.match(shown, /src="https:\/\/desk\.example\/media\//);
    assert.match(shown, /width="510"/);
    assert.doesNotMatch(shown, /height="/);
    assert.equal(text, '[A "map"]');
  });

  it('are HTML in which a picture and a rule have their attributes in their tags', async () => {
    const { html } = await made(
      '<p>a</p><hr><figure><img src="/media/abcdefghij234567-1920.webp" alt="a / b" width="1920"><figcaption>b<br>c</figcaption></figure>',
    );
    const tags = html.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) assert.match(tag, /^<(\/[a-z]+|[a-z]+( [a-z]+="[^"<>]*")*( \/)?)>$/);
    assert.equal(tags.filter((tag) => /^<(img|hr) .*style="/.test(tag)).length, 2);
  });

  it('have each block in the direction of its text, and code from left to right', async () => {
    const { html } = await made(
      '<p>نرخ</p><ul><li>two</li></ul><blockquote><p>a <code>b;</code></p></blockquote><pre>c;</pre>',
    );
    assert.equal(
      html.replace(/ (?:class|style)="[^"]*"/g, ''),
      '<p dir="auto">نرخ</p><ul dir="auto"><li>two</li></ul><blockquote dir="auto"><p dir="auto">a <code dir="ltr">b;</code></p></blockquote><pre dir="ltr">c;</pre>',
    );
  });

  it('have no paragraphs where an item or a cell has only one', async () => {
    const { html } = await made('<ul><li><p>one</p></li><li><p>two</p><p>three</p></li></ul>');
    assert.match(html, /<li[^>]*>one<\/li>/);
    assert.match(html, /<li[^>]*><p[^>]*>two<\/p><p[^>]*>three<\/p><\/li>/);
  });

  it('read as text as a person would type them', async () => {
    const { text } = await made(
      '<h2>One &amp; two</h2><p>Read <a href="https://a.example/?x=1&amp;y=2">this</a>, or <a href="https://b.example">https://b.example</a>.</p><ul><li><p>first</p></li><li><p>second</p></li></ul><table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr></tbody></table><p>End</p>',
    );
    assert.equal(
      text,
      [
        'One & two',
        'Read this (https://a.example/?x=1&y=2), or https://b.example.',
        '- first\n- second',
        'a | b',
        'End',
      ].join('\n\n'),
    );
  });

  it('keep the numbers of a list in the text, also where one begins elsewhere or holds another', async () => {
    const { text } = await made(
      '<ol><li><p>One</p><ul><li><p>a</p></li></ul></li><li><p>Two</p></li></ol><ol start="9"><li>Nine</li><li>Ten<ol><li>First</li></ol></li><li>Eleven</li></ol>',
    );
    const lines = text.split(/\n+/);
    assert.deepEqual(lines.slice(0, 3), ['1. One', '- a', '2. Two']);
    assert.deepEqual(lines.slice(3), ['9. Nine', '10. Ten', '1. First', '11. Eleven']);
  });

  it('have a picture apart from what follows it', async () => {
    const img = (alt: string) =>
      `<img src="/media/abcdefghij234567-640.webp" alt="${alt}" width="640" height="360" />`;
    const { text } = await made(
      `<p>before</p>${img('One')}<p>after</p>${img('')}${img('Two')}${img('Three')}<h2>Head</h2>` +
        `<figure>${img('Four')}<figcaption>Its words</figcaption></figure><p>a ${img('Five')} b</p>`,
    );
    assert.equal(
      text,
      [
        'before',
        '[One]',
        'after',
        '[Two]',
        '[Three]',
        'Head',
        '[Four]\nIts words',
        'a [Five] b',
      ].join('\n\n'),
    );
  });

  it('hold nothing that runs, whatever was stored', async () => {
    for (const attack of attacks) {
      const { html } = await made(attack);
      assert.doesNotMatch(html, /<script|<svg|<iframe|<style|\son\w+=|="?\s*javascript:/i, attack);
    }
  });
});
