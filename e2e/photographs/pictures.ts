/** Full-page pictures of every page of the frontend, found from its route folders. */
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, type Desk } from '../support/desk.ts';
import type { People, Person } from './people.ts';
import { plainText } from './plain.ts';

/** Where each value of the parameter is a page of its own kind. */
const SEVERAL = /^\/admin\/settings\/\[\w+\]$|^\/(admin\/)?exchanges\/\[\w+\]$/;
const MOST = 16;
const VIEWS = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
const SHOW_ALL = `Promise.all([document.fonts.ready, ...[...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => undefined);
})])`;

interface Route {
  readonly pattern: string;
  readonly person: Person;
}

/** @param links paths that answers of the API lead to; those on the pages are added */
export async function takePictures(
  desk: Desk,
  people: People,
  links: Set<string>,
  folder: string,
): Promise<void> {
  const routes = findRoutes();
  const seen: string[] = [];
  const browser = await openBrowser();
  await mkdir(folder, { recursive: true });
  const take = async (person: Person, path: string, name: string) => {
    for (const { width, colorScheme } of VIEWS) {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const cookies = [...people[person].cookies].map(([key, value]) => ({
        name: key,
        value,
        url: desk.web,
      }));
      await context.addCookies(cookies);
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const response = await page.goto(desk.web + path);
      await page.evaluate(SHOW_ALL);
      const file = join(folder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true, animations: 'disabled' });
      const hrefs = await page
        .locator('a')
        .evaluateAll((all) => all.map((a) => (a as unknown as { href: string }).href));
      for (const href of hrefs)
        if (href.startsWith(desk.web)) links.add(href.slice(desk.web.length));
      if (width === 390 && colorScheme === 'dark')
        seen.push(plainText(desk, `${name} ${response?.status()} ${await page.title()}\n`));
      await context.close();
    }
  };
  try {
    for (const { pattern, person } of routes) {
      const paths = pathsOf(pattern, links, routes);
      for (const [place, path] of paths.entries()) {
        const last = pattern.endsWith('[slug]') ? path.split('/').at(-1) : place + 1;
        const name = `home${pattern}`.replace('home/', '').replaceAll('/', '.') || 'home';
        await take(person, path, paths.length === 1 ? name : `${name}.${last}`).catch(
          (error: Error) => seen.push(`${name} ${error.message.split('\n')[0]}\n`),
        );
      }
    }
  } finally {
    await browser.close();
    await writeFile(join(folder, 'pages.txt'), seen.toSorted().join(''));
  }
}

/** Such as `/blog/[slug]`, with who is to see it; first those without parameters, which link to the others. */
function findRoutes(): Route[] {
  const cwd = fileURLToPath(new URL('../../apps/web/src/routes', import.meta.url));
  const routes = globSync('**/+page.svelte', { cwd }).map((file): Route => {
    const parts = dirname(file)
      .split('/')
      .filter((part) => !/^[.(]/.test(part));
    const isOwn = file.startsWith('(account)');
    const person = file.startsWith('admin') ? 'admin' : isOwn ? 'customer' : 'anonymous';
    return { pattern: `/${parts.join('/')}`, person };
  });
  const rank = ({ pattern }: Route) => `${pattern.split('[').length} ${pattern}`;
  return routes.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function pathsOf(pattern: string, links: ReadonlySet<string>, routes: readonly Route[]): string[] {
  const shape = new RegExp(`^${pattern.replace(/\[\w+\]/g, '[^/?#]+')}([?]token=.*)?$`);
  const isOther = (path: string) =>
    path !== pattern && routes.some((route) => route.pattern === path);
  const fitting = [...links].filter((link) => shape.test(link) && !isOther(link));
  if (!pattern.includes('[')) return [fitting.find((link) => link.includes('?')) ?? pattern];
  if (fitting.length === 0) return [pattern.replace(/\[\w+\]/g, 'nothing-there')];
  return fitting.slice(0, SEVERAL.test(pattern) ? MOST : 1);
}
