/** Lists as other tools write them: who is added, and who is not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnsOf } from './import-columns.ts';
import { judge } from './import-rows.ts';

const rowsOf = (lines: readonly string[]) =>
  lines.map((line, at) => ({ line: at + 1, cells: line.split(',') }));

/** What becomes of each line; the last two cells of a line that is asked for. */
function kinds(...lines: string[]): string[] {
  const rows = rowsOf(lines);
  const columns = columnsOf(rows);
  assert.ok(columns, String(lines[0]));
  return rows.slice(columns.heading ? 1 : 0).map((row) => judge(row, columns).kind);
}

/** Of addresses beside a language. */
function judged(cells: readonly string[]) {
  const rows = rowsOf(['email,language', ...cells.map((cell) => `a@example.com,${cell}`)]);
  const columns = columnsOf(rows);
  assert.ok(columns);
  return rows.slice(1).map((row) => {
    const one = judge(row, columns);
    assert.ok(one.kind === 'address', one.kind);
    return one;
  });
}

const locales = (...cells: string[]) => judged(cells).map(({ locale }) => locale);
const unknownLanguages = (...cells: string[]) =>
  judged(cells).map(({ unknownLanguage }) => unknownLanguage);

describe('an address in a list', () => {
  const addresses = (...cells: string[]) => {
    const rows = rowsOf(cells);
    const columns = columnsOf(rows);
    assert.ok(columns);
    return rows.map((row) => {
      const one = judge(row, columns);
      return one.kind === 'address' ? one.email : one.kind;
    });
  };

  it('may have an international host, in the letters that a browser sends of it', () => {
    assert.deepEqual(
      addresses(
        'info@bücher.example',
        'info@例え.テスト',
        'a@xn--bcher-kva.example',
        'A@Example.com',
      ),
      [
        'info@xn--bcher-kva.example',
        'info@xn--r8jz45g.xn--zckzah',
        'a@xn--bcher-kva.example',
        'A@Example.com',
      ],
    );
  });

  it('has no other letters before the host, and a host that is one', () => {
    const none = [
      'öz@example.com',
      'a@bücher',
      'a@bücher.example/x',
      'a@bü cher.example',
      'a@ü..example',
      'a@ü%41.example',
    ];
    assert.deepEqual(addresses('one@example.com', ...none), [
      'one@example.com',
      ...none.map(() => 'invalid'),
    ]);
  });
});

describe('the language of somebody in a list', () => {
  it('is the one that is named, and the site’s for what names none', () => {
    assert.deepEqual(locales('de', 'pt-BR', 'fa'), ['de', 'pt-BR', 'fa']);
    const english = { xx: 'xx', 'xx-YY': 'xx-YY', German: 'German', '': null };
    assert.deepEqual(locales(...Object.keys(english)), ['en', 'en', 'en', 'en']);
    assert.deepEqual(unknownLanguages(...Object.keys(english)), Object.values(english));
    assert.deepEqual(unknownLanguages('de', 'pt-BR'), [null, null]);
  });
});

function emailColumn(...lines: string[]): string | undefined {
  const columns = columnsOf(rowsOf(lines));
  return columns?.heading?.[columns.email];
}

const one = (heading: string, cell: string) =>
  kinds(`email,${heading}`, `a@example.com,${cell}`)[0];

describe('the state of somebody in a list', () => {
  it('makes them a subscriber by words that are known, and by nothing else', () => {
    for (const word of ['', 'subscribed', 'Active', 'CONFIRMED', 'yes', 'TRUE', '1', 'opted-in'])
      assert.equal(one('status', word), 'address', word);
    const gone =
      'Unsubscribed|Marked as spam|Hard bounced|soft bounce|opted_out|OptedOut|blocklisted|Blacklisted|inactive|complaint|non-subscribed|not subscribed|NEVER_SUBSCRIBED|deleted|UNSUB|blocked|Bounced |cleaned|pending|no|0|false|left|redacted|Non-marketing contact|archived|suppressed';
    for (const word of gone.split('|')) assert.equal(one('status', word), 'left', word);
    for (const word of ['CA', 'free', 'Sperrliste', 'abgemeldet', '?', 'implied', '2'])
      assert.equal(one('status', word), 'unknown', word);
  });

  it('is told by the headings of those who keep lists', () => {
    const wishes =
      'Accepts Email Marketing|Accepts Marketing|subscribed_to_emails|SubscribedToEmails|Email Marketing Consent|OPT_IN|DOUBLE_OPT-IN|Subscribed|Newsletter|Email opt-in status|Email Marketing|is_active';
    for (const heading of wishes.split('|')) {
      assert.equal(one(heading, 'yes'), 'address', heading);
      assert.equal(one(heading, 'no'), 'left', heading);
      assert.equal(one(heading, 'perhaps'), 'unknown', heading);
      assert.equal(one(heading, ''), 'unknown', `${heading}, where nobody said yes`);
    }
    const states =
      'Status|state|Email Marketing Status|Email marketing: Status|Email subscriber status|Subscription status|Marketing contact status|email_status|Member Status';
    for (const heading of states.split('|')) {
      assert.equal(one(heading, 'subscribed'), 'address', heading);
      assert.equal(one(heading, 'unsubscribed'), 'left', heading);
      assert.equal(one(heading, 'perhaps'), 'unknown', heading);
    }
    const refusals =
      'Unsubscribed from all email|Opted out of email: Marketing Information|email_disabled|EMAIL_BLACKLISTED|Blocklisted|Suppressed|Do not email|Invalid email address';
    for (const heading of refusals.split('|')) {
      for (const cell of ['', 'no', 'FALSE', '0'])
        assert.equal(one(heading, cell), 'address', heading);
      assert.equal(one(heading, 'true'), 'left', heading);
    }
    for (const heading of [
      'UNSUB_TIME',
      'CLEAN_TIME',
      'Unsubscribed at',
      'deleted_at',
      'left_at',
    ]) {
      assert.equal(one(heading, '2024-05-01 10:00:00'), 'left', heading);
      assert.equal(one(heading, ''), 'address', heading);
    }
    assert.equal(one('Email hard bounce reason', 'UNKNOWN_USER'), 'left');
    assert.equal(one('Subscribed', '2024-05-01 10:00'), 'address', 'when they said so');
  });

  it('is not what other columns say', () => {
    const others =
      'Accepts SMS Marketing|active_subscription|OPTIN_TIME|CONFIRM_IP|Email Marketing: Level|Lead Status|order status|Unsubscribe link|Tags|subscription_tier|Consent source|SMS opt-out';
    for (const heading of others.split('|')) assert.equal(one(heading, 'no'), 'address', heading);
    assert.deepEqual(kinds('email,city,state', 'a@example.com,Fresno,CA'), ['address']);
    assert.deepEqual(kinds('email,city,state', 'a@example.com,Fresno,unsubscribed'), ['left']);
  });

  it('counts in each column, and a plain refusal in any', () => {
    const heading = 'email,status,Opted out,notes';
    assert.deepEqual(
      kinds(heading, 'a@x.org,active,,', 'b@x.org,active,yes,', 'c@x.org,active,no,Unsubscribed'),
      ['address', 'left', 'left'],
    );
    assert.deepEqual(kinds('a@x.org,A', 'b@x.org,unsubscribed'), ['address', 'left']);
  });
});

describe('the column of addresses', () => {
  it('is chosen by its name first', () => {
    assert.equal(emailColumn('Name,Address,Email', 'A,1 High St,a@x.org'), 'Email');
    assert.equal(emailColumn('Address,E-Mail-Address', 'who@x.org,a@x.org'), 'E-Mail-Address');
    assert.equal(emailColumn('Referred by,Email', 'r@x.org,', 'r@x.org,a@x.org'), 'Email');
    assert.equal(emailColumn('Email Marketing Status,Email', 'subscribed,a@x.org'), 'Email');
    assert.equal(emailColumn('Work email,Email', 'w@x.org,a@x.org'), 'Email');
  });

  it('is chosen by what its cells look like second', () => {
    assert.equal(emailColumn('Name,Address', 'A,a@x.org'), 'Address');
    assert.equal(emailColumn('Address,Kontakt', '1 High St,a@x.org', '2 High St,'), 'Kontakt');
    assert.equal(emailColumn('Email,Email 2', ',a@x.org', ',b@x.org'), 'Email 2');
    assert.equal(emailColumn('Name,Address,City', 'A,1 High St,Fresno'), undefined);
    assert.deepEqual(kinds('A,a@x.org', 'B,b@x.org'), ['address', 'address']);
  });
});
