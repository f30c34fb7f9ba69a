/** For tests: modules that only SvelteKit or the build makes, written out instead. */
import { createServer, type RequestListener } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** The application's own modules, as a test file with stand-ins loads them. */
const OWN = new URL('..', import.meta.url).href;
let filesBefore = 0;

/**
 * Each by its specifier, as source text. What needs them is imported after this. Test files share a
 * process: the application's modules are loaded anew for each, with its own stand-ins.
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

/** A function of the message's name, as source text: it answers what the message says. */
const ITS_NAME = '(key) => () => String(key)';

/** The catalogue of messages: each says its own name, unless `say` has it say something else. */
export function standInMessages(say = ITS_NAME): void {
  const catalogue = `const say = ${say};
export const m = new Proxy({}, { get: (_, key) => say(key) });`;
  standIn({ '#lib/paraglide/messages.js': catalogue });
}

/** An API for what runs on this server, which is `https://site.test` then. */
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
