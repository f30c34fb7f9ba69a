/** For tests: modules that only SvelteKit or the build makes, written out instead. */
import { createServer, type RequestListener } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** Each by its specifier, as source text. What needs them is imported after this. */
export function standIn(modules: Readonly<Record<string, string>>): void {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const source = modules[specifier];
      return source === undefined
        ? next(specifier, context)
        : { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true };
    },
  });
  after(() => hooks.deregister());
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
