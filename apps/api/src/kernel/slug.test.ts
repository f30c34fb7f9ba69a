import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { slugOf } from './slug.ts';

describe('an address made of a title', () => {
  it('has small letters, digits and single hyphens', () => {
    assert.equal(
      slugOf('  Why rates HOLD: 15 min’s worth — Straße & Café!  '),
      'why-rates-hold-15-mins-worth-strasse-cafe',
    );
    assert.equal(slugOf('Fees: 2–3 € (½ of “before”)'), 'fees-2-3-eur-1-2-of-before');
    assert.ok(slugOf('a-'.repeat(100)).length <= 80);
  });

  it('keeps the letters that are no letter with a mark', () => {
    assert.equal(slugOf('Kurs złotego w Łodzi'), 'kurs-zlotego-w-lodzi');
    assert.equal(slugOf('Ærø og Tromsø'), 'aero-og-tromso');
    assert.equal(slugOf('Đà Nẵng'), 'da-nang');
    assert.equal(slugOf('İzmir’de kur, ığdır'), 'izmirde-kur-igdir');
    // A letter and its mark may be typed as two characters.
    assert.equal(slugOf('Cafe\u0301'), slugOf('Café'));
  });

  it('says the letters of other scripts in Latin ones', () => {
    assert.equal(slugOf('Курс доллара'), 'kurs-dollara');
    assert.equal(slugOf('Ισοτιμία'), 'isotimia');
    assert.equal(slugOf('سعر الصرف'), 'sr-lsrf');
    assert.equal(slugOf('환율'), 'hwanyul');
    assert.equal(slugOf('汇率'), 'huilu');
    assert.equal(slugOf('レート'), 'reto');
  });

  it('says no pictures, and is empty where nothing is left', () => {
    assert.equal(slugOf('🎉 New pair 🇺🇦'), 'new-pair');
    assert.equal(slugOf('🎉 ❤️ ...'), '');
  });

  it('is an address of this site, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        assert.match(slugOf(title), /^([a-z0-9]+(-[a-z0-9]+)*)?$/);
      }),
    );
  });
});
