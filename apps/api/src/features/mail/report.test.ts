/** Reports as mail servers write them: what they say of a letter, and to whom they came. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blamedBy } from '@cambist/contract/mail-answers';
import { openKeys } from '#platform/keys.ts';
import * as reports from '#test/reports.ts';
import { bounceAddress, readBounceAddress } from './bounce-address.ts';
import { readReportInTime } from './report-in-time.ts';
import { readReport, type Report } from './report.ts';

const keys = openKeys(Buffer.alloc(32, 7));
const id = '0196f2a1-4c5d-7e6f-8a9b-0c1d2e3f4a5b';
const to = bounceAddress(keys, 'bounces@desk.test', id);
const recipient = 'ana+rates@example.com';

async function read(raw: Buffer): Promise<Report> {
  const report = await readReport(raw);
  assert.ok(report);
  return report;
}

describe('the address that a letter comes back to', () => {
  it('names the letter, fits into 64 letters, and is known in any case', () => {
    assert.match(to, /^bounces\+[0-9a-f]{32}\.[0-9a-f]{16}@desk\.test$/);
    assert.ok(bounceAddress(keys, `${'b'.repeat(14)}@desk.test`, id).indexOf('@') <= 64);
    for (const text of [to, to.toUpperCase(), `"Bounces" <${to}>`, `a@b.test, <${to}>`]) {
      assert.equal(readBounceAddress(keys, ['reader@example.com', text]), id, text);
    }
  });

  it('is made by nobody else', () => {
    const at = to.indexOf('.') + 1;
    const digit = to[at] === '0' ? '1' : '0';
    for (const forged of [
      to.slice(0, at) + digit + to.slice(at + 1),
      to.replace(/5b\./, '5c.'),
      to.replace(/\.[0-9a-f]{16}@/, '@'),
      bounceAddress(openKeys(Buffer.alloc(32, 8)), 'bounces@desk.test', id),
      `bounces+${id}.${'0'.repeat(16)}@desk.test`,
      'bounces@desk.test',
    ]) {
      assert.equal(readBounceAddress(keys, [forged]), null, forged);
    }
  });
});

describe('a report that a letter could not be delivered', () => {
  for (const [server, make] of [
    ['Postfix', reports.postfixReport],
    ['Exim', reports.eximReport],
    ['Exim before 4.8', reports.oldEximReport],
    ['Gmail', reports.gmailReport],
    ['Exchange', reports.exchangeReport],
  ] as const) {
    it(`of ${server} is understood`, async () => {
      const report = await read(make({ to, recipient }));
      assert.equal(report.kind, 'returned');
      assert.equal(readBounceAddress(keys, report.mentions), id);
      const [first, ...more] = report.recipients;
      assert.deepEqual(more, []);
      assert.ok(first?.addresses.includes(recipient));
      assert.equal(blamedBy(first?.answer ?? ''), 'mailbox', first?.answer ?? '');
    });
  }

  it('gives the server’s words on one line, with its code', async () => {
    const answers = [];
    for (const [status, said] of [
      ['5.1.1', 'smtp; 550 Not known\n  here'],
      ['5.2.2', 'X-Postfix; mailbox is full'],
      ['5.0.0', 'X-Postfix; unknown user: "ana"'],
      ['4.4.1', 'X-Postfix; connect to mx: Connection timed out'],
      ['5.7.1', 'smtp; 550 5.7.1 Spam'],
    ] as const) {
      const report = await read(reports.postfixReport({ to, recipient, status, said }));
      answers.push(report.recipients[0]?.answer);
    }
    assert.deepEqual(answers, [
      '550 5.1.1 Not known here',
      '550 5.2.2 mailbox is full',
      '550 unknown user: "ana"',
      '450 4.4.1 connect to mx: Connection timed out',
      '550 5.7.1 Spam',
    ]);
  });

  it('is read up to some length, whatever is in it', async () => {
    const many = 'a@b.test, '.repeat(20_000);
    const old = await read(Buffer.from(`To: ${to}\r\nX-Failed-Recipients: ${many}\r\n\r\nNo`));
    assert.ok((old.recipients[0]?.addresses.length ?? 0) <= 200);
    const words = 'No such user. '.repeat(1000);
    const forms = [
      reports.postfixReport({ to, recipient, said: `smtp; 550 5.1.1 ${words}` }),
      Buffer.from(`To: ${to}\r\nX-Failed-Recipients: ${recipient}\r\n\r\n550 5.1.1 ${words}`),
    ];
    for (const raw of forms) {
      const answer = (await read(raw)).recipients[0]?.answer ?? '';
      assert.match(answer, /^550 5\.1\.1 No such user\. .*user\.$|such$|No$/);
      assert.ok(answer.length <= 500);
    }
    assert.equal(blamedBy(`550 ${'a '.repeat(500)} no such user`), 'letter');
    const wordless = await read(
      reports.postfixReport({ to, recipient: 'a'.repeat(10_000), said: 'b'.repeat(10_000) }),
    );
    assert.deepEqual(wordless.recipients, [{ addresses: [], answer: '550 5.1.1 ' }]);
  });

  it('is told from one that a server still tries, or that all is well', async () => {
    for (const [action, status, kind] of [
      ['delayed', '4.4.1', 'delayed'],
      ['delivered', '2.0.0', 'machine'],
      ['relayed', '2.0.0', 'machine'],
    ] as const) {
      const report = await read(reports.postfixReport({ to, recipient, action, status }));
      assert.equal(report.kind, kind, action);
    }
  });
});

describe('another message', () => {
  it('is a complaint where it says so', async () => {
    const complaint = await read(reports.complaintReport({ to, recipient }));
    assert.equal(complaint.kind, 'complaint');
    assert.equal(readBounceAddress(keys, complaint.mentions), id);
    const praise = await read(reports.complaintReport({ to, recipient }, 'not-spam'));
    assert.equal(praise.kind, 'machine');
  });

  it('is a machine’s answer (RFC 3834), or a person’s letter', async () => {
    for (const header of [
      'Auto-Submitted: auto-replied (vacation)',
      'Precedence: bulk',
      'X-Autoreply: yes',
      'Content-Type: multipart/report; report-type=disposition-notification; boundary=x',
    ]) {
      assert.equal((await read(reports.message(to, [header]))).kind, 'machine', header);
    }
    for (const headers of [['Subject: Hello'], ['Auto-Submitted: no'], ['Subject: 550 5.1.1 no']]) {
      assert.equal((await read(reports.message(to, headers))).kind, 'person', headers.join());
    }
  });

  it('is no message at all, however it is made up', async () => {
    const deep = Array.from(
      { length: 40 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    ).join('');
    assert.equal(await readReport(Buffer.from(deep)), null);
    const wide = `${'X-A: b\r\n'.repeat(50_000)}\r\n`;
    assert.equal(await readReport(Buffer.from(wide)), null);
    for (const raw of [Buffer.alloc(0), Buffer.alloc(100_000), Buffer.alloc(1_000_000, 0xff)]) {
      assert.notEqual((await readReport(raw))?.kind, 'returned');
    }
  });

  it('is read in time, or not at all', async () => {
    const report = reports.postfixReport({ to, recipient });
    assert.deepEqual(await readReportInTime(report), await readReport(report));
    // Each blank line of HTML is looked at once for each that follows it.
    const endless = `To: ${to}\r\nContent-Type: text/html\r\n\r\n${'\n'.repeat(250_000)}x`;
    assert.equal(await readReportInTime(Buffer.from(endless), 1_000), null);
  });
});
