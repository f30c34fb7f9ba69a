/** For tests: replaces modules that only exist inside SvelteKit or the build. */
import { createServer, type RequestListener } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** The application's modules, as a test file with replacements loads them. */
const OWN = new URL('..', import.meta.url).href;
let filesBefore = 0;

/**
 * Replaces modules by specifier with source text; import what needs them afterwards. Test files
 * share a process, so the application's modules are loaded again for each file.
 */
export function standIn(modules: Readonly<Record<string, string>>): void {
  const file = filesBefore;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const source = modules[specifier];
      if (source !== undefined) {
        const url = `data:text/javascript,${encodeURIComponent(source)}`;
        return { url, shortCircuit: true };
      }
      const found = next(specifier, context);
      const isPlain = found.url.startsWith(OWN) && !found.url.includes('?');
      return isPlain ? { ...found, url: `${found.url}?file=${file}` } : found;
    },
  });
  after(() => {
    hooks.deregister();
    filesBefore = file + 1;
  });
}

/** Source text of a function that makes a message return its name. */
const ITS_NAME = '(key) => () => String(key)';

/** Replaces the message catalogue: each message returns its name, unless `say` is given. */
export function standInMessages(say = ITS_NAME): void {
  const catalogue = `const say = ${say};
export const m = new Proxy({}, { get: (_, key) => say(key) });`;
  standIn({ '#lib/paraglide/messages.js': catalogue });
}

/** Starts an API for this server, which is `https://site.test` then. */
export async function standInApi(answer: RequestListener): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  standIn({
    '$app/env/public': "export const API_URL = 'https://api.test'",
    '$app/env/private': `export const API_INTERNAL_URL = 'http://127.0.0.1:${port}', ORIGIN = 'https://site.test'`,
  });
  after(() => server.close());
}
