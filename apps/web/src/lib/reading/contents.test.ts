import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withContents } from './contents.ts';

describe('the contents of a text', () => {
  it('lists the headings and gives each an id', () => {
    const { body, contents } = withContents(
      '<h2>Who we are</h2><p>x</p><h2 id="fees">Fees &amp; rates</h2>',
    );
    assert.deepEqual(contents, [
      { id: 'who-we-are', text: 'Who we are' },
      { id: 'fees', text: 'Fees & rates' },
    ]);
    assert.equal(
      body,
      '<h2 id="who-we-are">Who we are</h2><p>x</p><h2 id="fees">Fees &amp; rates</h2>',
    );
  });

  it('never gives one id to two headings', () => {
    const { contents } = withContents('<h2>Fees</h2><h2>Fees</h2><h2>§</h2><h2>¶</h2>');
    assert.deepEqual(
      contents.map(({ id }) => id),
      ['fees', 'fees-2', 'section', 'section-2'],
    );
    const taken = withContents('<h2 id="fees-2">A</h2><h2>Fees</h2><h2>Fees</h2><h2>Fees</h2>');
    assert.deepEqual(
      taken.contents.map(({ id }) => id),
      ['fees-2', 'fees', 'fees-3', 'fees-4'],
    );
  });

  it('takes no longer for each of a thousand equal headings than for one', () => {
    const time = (count: number) => {
      const started = performance.now();
      withContents('<h2>Fees</h2>'.repeat(count));
      return performance.now() - started;
    };
    time(1000);
    // Looking through all for each took a second and more.
    assert.ok(time(10_000) < 500);
  });
});
