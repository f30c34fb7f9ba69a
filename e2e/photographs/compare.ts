/** How two folders of photographs differ: texts line by line, pictures by pixels. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const TEXTS = ['surface.txt', 'openapi.json', 'schema.txt', 'answers', 'pictures/pages.txt'];
/** Per cent of the pixels; clocks and ages on the pages change fewer. */
const LEAST_PERCENT = 0.5;
/** Of 255, in any colour; less is smoothing of letters. */
const LEAST_STEP = 24;

export async function compare(before: string, after: string): Promise<void> {
  for (const text of TEXTS) {
    const [a, b] = [join(before, text), join(after, text)];
    if (!existsSync(a) || !existsSync(b)) continue;
    spawnSync('git', ['--no-pager', 'diff', '--no-index', '--stat', a, b], { stdio: 'inherit' });
    const words = ['--no-pager', 'diff', '--no-index', '--unified=2', a, b];
    spawnSync('git', words, { stdio: 'inherit' });
  }
  const [a, b] = [picturesIn(before), picturesIn(after)];
  if (a.length === 0 || b.length === 0) return;
  const lines = [
    ...a.filter((name) => !b.includes(name)).map((name) => `only in ${before}: ${name}`),
    ...b.filter((name) => !a.includes(name)).map((name) => `only in ${after}: ${name}`),
  ];
  for (const name of a.filter((one) => b.includes(one))) {
    const percent = await difference(join(before, 'pictures', name), join(after, 'pictures', name));
    if (percent > LEAST_PERCENT) lines.push(`${percent.toFixed(1)} % differs: ${name}`);
  }
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function picturesIn(folder: string): string[] {
  const pictures = join(folder, 'pictures');
  if (!existsSync(pictures)) return [];
  return readdirSync(pictures)
    .filter((name) => name.endsWith('.png'))
    .toSorted();
}

/** Per cent of the larger picture. */
async function difference(before: string, after: string): Promise<number> {
  const [a, b] = [await pixels(before), await pixels(after)];
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  let same = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [i, j] = [(y * a.width + x) * 3, (y * b.width + x) * 3];
      if (
        [0, 1, 2].every((c) => Math.abs((a.data[i + c] ?? 0) - (b.data[j + c] ?? 0)) < LEAST_STEP)
      )
        same += 1;
    }
  return 100 * (1 - same / Math.max(a.width * a.height, b.width * b.height));
}

async function pixels(file: string) {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
