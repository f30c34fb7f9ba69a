import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '#kernel/id.ts';
import { NOW } from '#test/judging.ts';
import { quarantineLetter } from './mails.ts';

type Waiting = Parameters<typeof quarantineLetter>[0][number];

/** What the letter says of pounds that wait. */
function told(change: Partial<Waiting>): string | undefined {
  const row: Waiting = {
    id: newId(),
    unit: 'GBP',
    base: 'EUR',
    rate: '1.200000000000000000',
    inverted: false,
    provider: 'fixer',
    as_of: NOW,
    reason: 'jump',
    previous_rate: '0.850000000000000000',
    former_rate: null,
    change_percent: '41.176470',
    contradicted_by: null,
    opinions: null,
    created_at: NOW,
    seen_at: NOW,
    decision: null,
    decided_by: null,
    decided_at: null,
    told_at: null,
    told: null,
    ...change,
  };
  return quarantineLetter([row]).facts?.[0]?.value;
}

describe('the letter of a rate that waits', () => {
  it('says what it was compared with, where that is known and can be written', () => {
    assert.equal(told({}), '1.2 GBP for 1 EUR, was 0.85 (+41.17647 %), by Fixer');
    assert.equal(
      told({ previous_rate: null, change_percent: '-99.999999' }),
      '1.2 GBP for 1 EUR (-99.999999 %), by Fixer',
    );
    assert.equal(
      told({ previous_rate: null, change_percent: null }),
      '1.2 GBP for 1 EUR, which nothing known compares with, by Fixer',
    );
  });

  it('says of a rate that crept what else than the one of a day before it may be compared with', () => {
    assert.equal(
      told({ reason: 'drift' }),
      '1.2 GBP for 1 EUR, moved too far for a day; 24 hours before, when first known, or when last accepted by an admin, it was 0.85 (+41.17647 %), by Fixer',
    );
    assert.equal(
      told({ reason: 'drift', previous_rate: null }),
      '1.2 GBP for 1 EUR, moved too far for a day (+41.17647 %), by Fixer',
    );
  });

  it('gives the first digits of long figures, and all of them where those would look alike', () => {
    const opinion = { provider: 'frankfurter', answered: true, heard_at: '2026-03-14T12:00:00Z' };
    const beside = (rate: string) =>
      told({
        previous_rate: '0.784251372549019607',
        opinions: [{ ...opinion, rate, as_of: '2026-03-13T15:00:00Z' }],
      });
    assert.match(beside('1.204100000012345678') ?? '', /was 0\.78425137… .+ says 1\.2041000… GBP/);
    assert.match(
      beside('0.784251372549019608') ?? '',
      /was 0\.784251372549019607 .+ says 0\.784251372549019608 GBP/,
    );
  });

  it('says when those were asked that gave no figure', () => {
    const asked = { provider: 'frankfurter', rate: null, as_of: null };
    const beside = (answered: boolean) =>
      told({ opinions: [{ ...asked, answered, heard_at: '2026-03-14T09:05:20.000Z' }] });
    assert.match(
      beside(false) ?? '',
      /by Fixer\. Frankfurter \(ECB\) gave no usable answer, asked 2026-03-14 09:05 UTC$/,
    );
    assert.match(
      beside(true) ?? '',
      /gave no rate of it that could be believed, asked 2026-03-14 09:05 UTC$/,
    );
  });
});
