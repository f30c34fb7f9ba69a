/**
 * `npm run photograph -- <folder>` writes down what people and programs see of this
 * version: OpenAPI, routes, schema, answers, pictures. `-- compare <a> <b>` prints
 * how two such folders differ. `--no-pictures` leaves out the slow part.
 */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDesk, type Desk } from '../support/desk.ts';
import { Answers, type OpenApi } from './answers.ts';
import { compare } from './compare.ts';
import { openPeople } from './people.ts';
import { takePictures } from './pictures.ts';
import { describeSchema } from './schema.ts';

const surface = new URL('../../apps/api/test/surface.txt', import.meta.url);

async function photograph(folder: string, withPictures: boolean): Promise<void> {
  const desk = await startDesk();
  try {
    const answers = join(folder, 'answers');
    await rm(answers, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await copyFile(surface, join(folder, 'surface.txt'));
    await writeFile(join(folder, 'schema.txt'), await describeSchema(desk.databaseUrl()));
    await untilWelcome(desk);
    const people = await openPeople(desk);
    const description = await people.anonymous.send('GET', '/api/openapi.json');
    const openApi = JSON.parse(description.text) as OpenApi;
    const text = JSON.stringify(openApi, sortKeys, 1).replaceAll(desk.api, '<api>');
    await writeFile(join(folder, 'openapi.json'), `${text}\n`);
    // The emails that the sign-ins have caused.
    await sleep(5000);
    const asked = new Answers(desk, people, answers);
    await asked.read(openApi);
    if (withPictures) await takePictures(desk, people, asked.links, join(folder, 'pictures'));
    await asked.write(openApi);
    for (const name of asked.unfilled) process.stdout.write(`No value was found for the ${name}\n`);
  } finally {
    await desk.stop();
  }
}

/** Both applications may answer before the start has printed who may sign in. */
async function untilWelcome(desk: Desk): Promise<void> {
  for (let tries = 0; tries < 100 && !desk.output().includes('Customer'); tries += 1)
    await sleep(100);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-pictures': { type: 'boolean', default: false } },
});
const [first, before, after] = positionals;
if (first === 'compare' && before && after) await compare(before, after);
else if (first && first !== 'compare') await photograph(first, !values['no-pictures']);
else throw new Error('Usage: photograph <folder> [--no-pictures] | photograph compare <a> <b>');
