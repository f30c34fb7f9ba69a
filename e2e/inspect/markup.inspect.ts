/**
 * What the public pages say to machines: markup without an error by the W3C's
 * checker, and structured data with all that a search engine asks of its kind.
 * Its vocabulary is checked by the compiler, with the types of schema-dts.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import Validator from '@adobe/structured-data-validator';
import checker from 'vnu-jar';
import { startDesk, type Desk } from '../support/desk.ts';
import { publicPages } from '../support/public-pages.ts';

const run = promisify(execFile);
/** The oldest that the checker runs in. */
const OLDEST_JAVA = 11;
const java = await findJava();
/** CI brings Java along, so that nothing is left out there. */
const skip =
  java === null && !process.env['CI'] && 'Java was not found: install it, or name it in JAVA';

const pages = [
  ...publicPages,
  '/blog?page=2',
  '/blog/tag/Rates',
  '/forgot-password',
  '/nowhere-at-all',
];

/** Not markup: its CSS of 2023 and later (containers, nesting, masks) is unknown to the checker. */
const beside = String.raw`CSS: .*|Trailing slash on void elements .*`;

interface Finding {
  readonly url: string;
  readonly type: string;
  readonly message: string;
  readonly extract?: string;
}

describe('the public pages, read by machines', () => {
  const html = new Map<string, string>();
  let desk: Desk;
  let folder: string;

  before(async () => {
    desk = await startDesk();
    folder = await mkdtemp(join(tmpdir(), 'cambist-markup-'));
    for (const path of pages) html.set(path, await (await fetch(desk.web + path)).text());
  });
  after(async () => {
    await desk?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the checker finds in documents by name. */
  async function check(documents: ReadonlyMap<string, string>): Promise<Finding[]> {
    const names = [...documents.keys()];
    const inside = await mkdtemp(join(folder, 'of-'));
    const files = names.map((_, at) => join(inside, `${at}.html`));
    await mkdir(inside, { recursive: true });
    for (const [at, name] of names.entries()) {
      await writeFile(files[at] ?? '', documents.get(name) ?? '');
    }
    const words = ['--format', 'json', '--exit-zero-always', '--stdout', '--filterpattern', beside];
    const { stdout } = await run(java ?? 'java', ['-jar', String(checker), ...words, ...files], {
      maxBuffer: 50_000_000,
    });
    const { messages } = JSON.parse(stdout) as { messages: Finding[] };
    return messages.map((one) => ({
      ...one,
      url: names[Number(/(\d+)\.html$/.exec(one.url)?.[1])] ?? '',
    }));
  }

  it('would be refused with an element that is not closed', { skip }, async () => {
    const found = await check(new Map([['broken', '<!doctype html><title>A</title><p><b>no end']]));
    assert.ok(found.some(({ url, type }) => url === 'broken' && type === 'error'));
  });

  it('have no error in their markup', { skip }, async () => {
    const found = await check(html);
    const mistakes = found
      .filter(({ type }) => type !== 'info')
      .map(({ url, message, extract }) => `${url}: ${message} ${extract ?? ''}`);
    assert.deepEqual(mistakes, []);
  });

  it('would be refused with a breadcrumb that leads nowhere', async () => {
    const broken = { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem' }] };
    assert.notDeepEqual(await faultsOf([broken]), []);
  });

  for (const path of pages) {
    it(`${path} has structured data that is complete`, async () => {
      assert.deepEqual(await faultsOf(structuredIn(html.get(path) ?? '')), []);
    });
  }

  it('tell what they are where search engines ask', () => {
    const kinds = (path: string) => structuredIn(html.get(path) ?? '').map((one) => one['@type']);
    const everywhere = ['Organization', 'WebSite'];
    for (const [path, own] of Object.entries({
      '/': ['FinancialService', 'FAQPage'],
      '/rates/usd-to-eur': [
        'CurrencyConversionService',
        'ExchangeRateSpecification',
        'BreadcrumbList',
      ],
      '/blog/how-to-read-a-month-of-a-rate': ['BlogPosting', 'BreadcrumbList'],
      '/terms': ['WebPage', 'BreadcrumbList'],
      '/contact': ['ContactPage'],
    })) {
      assert.deepEqual(new Set(kinds(path)), new Set([...everywhere, ...own]), path);
    }
  });
});

interface Item {
  readonly '@type': string;
}

function structuredIn(html: string): Item[] {
  const scripts = html.matchAll(/<script[^>]*application\/ld\+json[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].flatMap(([, text]) => JSON.parse(text ?? '') as Item | Item[]);
}

async function faultsOf(items: readonly Item[]): Promise<string[]> {
  const jsonld = Object.groupBy(items, (one) => one['@type']);
  const issues = await new Validator().validate({ jsonld });
  return issues
    .filter(({ severity }) => severity === 'ERROR')
    .map(({ rootType, issueMessage }) => `${rootType}: ${issueMessage}`);
}

/** The command, JAVA's before all others; null where there is none, or none that is new enough. */
async function findJava(): Promise<string | null> {
  const command = process.env['JAVA'] || 'java';
  const { stdout } = await run(command, ['--version']).catch(() => ({ stdout: '0' }));
  return Number(/\d+/.exec(stdout)?.[0]) >= OLDEST_JAVA ? command : null;
}
