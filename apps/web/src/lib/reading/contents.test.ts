import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withContents } from './contents.ts';

describe('the table of contents', () => {
  it('lists the headings and gives each an id', () => {
    const { body, contents } = withContents(
      '<h2>Who we are</h2><p>x</p><h2 id="fees">Fees &amp; rates</h2>',
    );
    assert.deepEqual(contents, [
      { id: 'text-who-we-are', text: 'Who we are' },
      { id: 'fees', text: 'Fees & rates' },
    ]);
    assert.equal(
      body,
      '<h2 id="text-who-we-are">Who we are</h2><p>x</p><h2 id="fees">Fees &amp; rates</h2>',
    );
  });

  it('never gives one id to two headings', () => {
    const { contents } = withContents('<h2>Fees</h2><h2>Fees</h2><h2>§</h2><h2>¶</h2>');
    assert.deepEqual(
      contents.map(({ id }) => id),
      ['text-fees', 'text-fees-2', 'text-section', 'text-section-2'],
    );
    const taken = withContents(
      '<h2>Fees</h2><h2>Fees</h2><h2 id="text-fees">A</h2><h3 id="text-fees-2">B</h3>',
    );
    assert.deepEqual(
      taken.contents.map(({ id }) => id),
      ['text-fees-3', 'text-fees-4', 'text-fees'],
    );
  });

  it('gives no id that the page uses', () => {
    const { body, contents } = withContents(
      '<h2>Main</h2><h2 id="share">Share</h2><h3 id="related">R</h3>',
    );
    assert.equal(
      body,
      '<h2 id="text-main">Main</h2><h2 id="text-share">Share</h2><h3 id="text-related">R</h3>',
    );
    assert.deepEqual(
      contents.map(({ id }) => id),
      ['text-main', 'text-share'],
    );
  });

  it('leaves out headings without text', () => {
    const html = '<h2></h2><h2><br /> </h2><h2>Fees</h2>';
    assert.deepEqual(withContents(html).contents, [{ id: 'text-fees', text: 'Fees' }]);
  });

  it('numbers equal headings', () => {
    const { contents } = withContents('<h2>Fees</h2>'.repeat(10_000));
    assert.equal(new Set(contents.map(({ id }) => id)).size, 10_000);
    assert.equal(contents.at(-1)?.id, 'text-fees-10000');
  });
});
