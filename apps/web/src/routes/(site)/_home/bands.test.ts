import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { homeSections, type HomePage, type HomeSection } from '@cambist/contract/home-page';
import { layoutOf } from './bands.ts';

const words = { enabled: true, title: 'Title', intro: '' };
const point = { icon: 'lock', title: 'One', text: '' } as const;
const home: HomePage = {
  order: [...homeSections],
  hero: { enabled: true, title: 'Hero', text: '', cta_label: '', signed_in_cta_label: '' },
  stats: { enabled: true, items: [{ value: '1', label: 'one' }] },
  rates: words,
  latest: words,
  features: { ...words, items: [point] },
  how_it_works: { ...words, steps: [point] },
  testimonials: { ...words, items: [{ quote: 'Good', name: 'A', detail: '' }] },
  faq: { ...words, items: [{ question: 'Why?', answer: 'So.' }] },
  newsletter: words,
  footer: { note: '', links_enabled: true, social_enabled: true, columns: [] },
  social: [],
};
const filled = { rates: [1], latest: [1] };
const bandsOf = (order: HomeSection[], change: Partial<HomePage> = {}, has: object = filled) =>
  layoutOf({ ...home, ...change, order }, { ...filled, ...has }).bands;

describe('the sections of the home page', () => {
  it('follow the order of the settings, with leading figures in the hero', () => {
    assert.deepEqual(layoutOf(home, filled), {
      openingStats: true,
      bands: [
        ['rates', 'latest'],
        ['how_it_works'],
        ['features'],
        ['testimonials'],
        ['faq'],
        ['newsletter'],
      ],
    });
    const turned = layoutOf({ ...home, order: homeSections.toReversed() }, filled);
    assert.equal(turned.openingStats, false);
    assert.deepEqual(turned.bands.flat(), homeSections.toReversed());
  });

  it('put rates and latest exchanges side by side only when they are neighbours', () => {
    assert.deepEqual(bandsOf(['latest', 'rates', 'faq']), [['latest', 'rates'], ['faq']]);
    assert.deepEqual(bandsOf(['rates', 'faq', 'latest']), [['rates'], ['faq'], ['latest']]);
  });

  it('leave out what is switched off', () => {
    for (const section of homeSections) {
      const off = { [section]: { ...home[section], enabled: false } };
      const layout = layoutOf({ ...home, ...off }, filled);
      assert.ok(!layout.bands.flat().includes(section), section);
      assert.equal(layout.openingStats, section !== 'stats');
    }
  });

  it('leave out what is empty, and keep what failed to load', () => {
    const empty = {
      stats: { enabled: true, items: [] },
      features: { ...words, items: [] },
      how_it_works: { ...words, steps: [] },
      testimonials: { ...words, items: [] },
      faq: { ...words, items: [] },
    };
    assert.deepEqual(bandsOf(homeSections.toReversed(), empty), [
      ['newsletter'],
      ['latest', 'rates'],
    ]);
    const nothing = { rates: [], latest: [] };
    assert.deepEqual(bandsOf([...homeSections], empty, nothing), [['newsletter']]);
    assert.deepEqual(bandsOf(['rates', 'latest'], {}, { rates: null, latest: null }), [
      ['rates', 'latest'],
    ]);
  });
});
