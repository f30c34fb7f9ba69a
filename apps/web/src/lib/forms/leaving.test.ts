/** The way back to a page that a cancelled Back has left; the browser's history is stood in for. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standIn, standInMessages } from '#lib/test/stand-in.ts';

const frame = new EventTarget();
const location = { href: '' };
Object.assign(globalThis, { location, addEventListener: frame.addEventListener.bind(frame) });
standIn({ '$app/navigation': 'export const beforeNavigate = () => {}' });
standInMessages();
const { backAt } = await import('./leaving.ts');

const page = new URL('https://site.test/post');

async function arrive(href: string): Promise<void> {
  location.href = href;
  frame.dispatchEvent(new Event('popstate'));
  await new Promise(setImmediate);
}

/** Whether the waiting has ended. */
function waitFor(isWanted: () => boolean): () => boolean {
  let isOver = false;
  void backAt(page, isWanted).then(() => (isOver = true));
  return () => isOver;
}

describe('a page that a cancelled Back has left', () => {
  it('is waited for until the browser is back there', async () => {
    location.href = 'https://site.test/list';
    const isOver = waitFor(() => true);
    await arrive('https://site.test/other');
    assert.equal(isOver(), false);
    await arrive(page.href);
    assert.equal(isOver(), true);
  });

  it('is waited for no longer once nobody wants to go from there', async () => {
    location.href = 'https://site.test/list';
    let isWanted = true;
    const isOver = waitFor(() => isWanted);
    isWanted = false;
    await arrive('https://site.test/other');
    assert.equal(isOver(), true);
  });
});
