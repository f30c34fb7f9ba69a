import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { styleAttacks } from '@cambist/html/attacks';
import { withoutStyleAndScript, withDraftOf } from './css-preview.ts';
import { customStyleOf } from './page-head.ts';

const policy =
  "default-src 'self'; base-uri 'none'; style-src 'self' 'sha256-page'; frame-ancestors 'none'";
const head = '<title>Desk</title><link rel="stylesheet" href="/a.css">';
const body = '<body><h1>Money</h1><p>1 &lt; 2</p></body>';
const saved = 'h1 { color: red } /* <script> */';

function page(): string {
  const acting = `<script type="application/ld+json">{}</script><link href="/b.js" rel="modulepreload">`;
  const waiting =
    '<noscript><p>Needs script.</p></noscript><script nonce="x">start("</p>")</script>';
  return `<head>${head}${acting}${customStyleOf(saved)?.element}</head>${body}${waiting}`;
}

describe('a page previewed with a draft style sheet', () => {
  it('loses the saved style sheet and everything that runs, and nothing else', () => {
    assert.equal(withoutStyleAndScript(page()), `<head>${head}</head>${body}`);
  });

  it('has the draft last in its head, and the policy allows it by its hash', () => {
    const draft = withDraftOf('h1 { color: blue }', {
      path: '/blog/a-post',
      html: withoutStyleAndScript(page()),
      policy,
    });
    assert.match(draft.html, /<style id="custom-style">h1 \{ color: blue \}<\/style><\/head>/);
    assert.doesNotMatch(draft.html, /red/);
    const { hash = '' } = customStyleOf('h1 { color: blue }') ?? {};
    assert.ok(draft.policy.includes(`style-src 'self' 'sha256-page' ${hash};`), draft.policy);
  });

  it('loads its fonts and pictures from where the page loads them', () => {
    const draft = withDraftOf('', {
      path: '/blog/a-post',
      html: withoutStyleAndScript(page()),
      policy,
    });
    assert.match(draft.html, /^<head><base href="\/blog\/a-post" target="_blank">/);
    assert.match(draft.policy, /; base-uri 'self';/);
  });

  it('has no style sheet where the draft is empty', () => {
    const draft = withDraftOf('  ', {
      path: '/blog/a-post',
      html: withoutStyleAndScript(page()),
      policy,
    });
    assert.doesNotMatch(draft.html, /<style/);
    assert.match(draft.policy, /style-src 'self' 'sha256-page';/);
  });

  it('is sandboxed', () => {
    for (const attack of styleAttacks) {
      const draft = withDraftOf(attack, {
        path: '/blog/a-post',
        html: withoutStyleAndScript(page()),
        policy,
      });
      assert.match(draft.policy, /; sandbox (?!.*(allow-scripts|allow-forms))/);
      assert.equal(draft.html.match(/<\/style/gi)?.length ?? 0, attack.trim() === '' ? 0 : 1);
      assert.doesNotMatch(draft.html.replace(/<style[^]*?<\/style>/, ''), /<script/i);
    }
  });
});
