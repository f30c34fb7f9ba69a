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
    assert.match(text, /^\[A "map"\] \(https:\/\/desk\.example\/media\//);
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

  it('read as text line by line, with the addresses of links', async () => {
    const { text } = await made(
      '<h2>One &amp; two</h2><p>Read <a href="https://a.example/?x=1&amp;y=2">this</a>.</p><ul><li><p>first</p></li><li>second</li></ul><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>',
    );
    const lines = [
      'One & two',
      'Read this (https://a.example/?x=1&y=2).',
      '- first',
      '- second',
      'a b',
    ];
    assert.equal(text, lines.join('\n'));
  });

  it('hold nothing that runs, whatever was stored', async () => {
    for (const attack of attacks) {
      const { html } = await made(attack);
      assert.doesNotMatch(html, /<script|<svg|<iframe|<style|\son\w+=|="?\s*javascript:/i, attack);
    }
  });
});
