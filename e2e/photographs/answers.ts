/** What every endpoint of the OpenAPI description answers to each of the people, without what is random. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Desk } from '../support/desk.ts';
import { PEOPLE, type Answer, type People } from './people.ts';
import { plainHeaders, plainText, plainValue, type Json } from './plain.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly pattern?: string; readonly enum?: readonly string[] };
}

export interface OpenApi {
  readonly paths: Record<string, Record<string, { readonly parameters?: readonly Parameter[] }>>;
}

/** One request for a path; `name` has no id of this run in it. */
interface Call {
  readonly name: string;
  readonly path: string;
}

const NOWHERE = ['00000000-0000-7000-8000-000000000000', '999999', 'CX-0000-0000', 'nothing-there'];
const MOST_LINKS = 8;

export class Answers {
  /** Paths on the site and in the API to which answers lead. */
  readonly links = new Set<string>();
  /** Parameters for which no value was found. */
  readonly unfilled = new Set<string>();
  readonly #desk: Desk;
  readonly #people: People;
  readonly #folder: string;
  /** The items of lists, by the path of the list and by its last word. */
  readonly #items = new Map<string, Json[]>();

  constructor(desk: Desk, people: People, folder: string) {
    this.#desk = desk;
    this.#people = people;
    this.#folder = folder;
  }

  /** Sends every GET: lists before what is in them, emails before what their links open. */
  async read({ paths }: OpenApi): Promise<void> {
    const rank = (path: string) =>
      `${path.split('{').length}${path.startsWith('/dev/') ? '' : path}`;
    const ranked = Object.keys(paths).toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
    for (const path of ranked) {
      const { get, post } = paths[path] ?? {};
      for (const call of get ? await this.#calls(path, get.parameters ?? []) : [])
        await this.#ask('GET', call);
      if (post && path.endsWith('/preview-link'))
        for (const call of await this.#calls(path, []))
          this.#noteLinks((await this.#people.admin.send('POST', call.path, {})).text);
    }
  }

  /** Sends every write with an empty body to what does not exist, and without a session. */
  async write({ paths }: OpenApi): Promise<void> {
    for (const [path, methods] of Object.entries(paths).toSorted()) {
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        if (method === 'get') continue;
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
          const pattern = parameters.find((one) => one.name === name)?.schema.pattern ?? '';
          return NOWHERE.find((value) => new RegExp(pattern).test(value)) ?? 'nothing-there';
        });
        await this.#ask(method.toUpperCase(), { name: path, path: filled });
        for (const person of PEOPLE) await this.#people[person].ensureSignedIn();
      }
    }
  }

  async #ask(method: string, { name, path }: Call): Promise<void> {
    const body = method === 'GET' ? undefined : {};
    for (const person of PEOPLE) {
      const answer = await this.#people[person].send(method, path, body);
      await this.#save(person, `${method} ${name}`, answer);
      // The audit log notes it a moment later.
      if (answer.status === 403) await sleep(30);
      if (method !== 'GET' || answer.status !== 200) continue;
      this.#noteLinks(answer.text);
      if (answer.headers.get('content-type')?.includes('json'))
        this.#noteItems(path.replace(/\?.*/, ''), JSON.parse(answer.text).data ?? {});
    }
    if (method === 'GET') return;
    const bare = await this.#people.anonymous.send(method, path, body, { bare: true });
    await this.#save('without-session', `${method} ${name}`, bare);
  }

  #noteLinks(text: string): void {
    const { web, api } = this.#desk;
    for (const [link] of text.matchAll(/(?:https?:\/\/|(?<=["'])\/)[\w\-./:?=%&;#~]+/g))
      if (link.startsWith('/') || link.startsWith(web) || link.startsWith(api))
        this.links.add(link.replace(web, '').replace(api, '').replaceAll('&amp;', '&'));
  }

  #noteItems(path: string, data: Json): void {
    const add = (key: string, items: Json[]) =>
      this.#items.set(key, [...(this.#items.get(key) ?? []), ...items]);
    const isObject = (value: Json) => typeof value === 'object' && value && !Array.isArray(value);
    if (Array.isArray(data)) add(path, data.filter(isObject));
    const entries = Array.isArray(data) ? [] : Object.entries<Json>(data);
    if (entries.every(([, value]) => isObject(value)))
      add(
        path,
        entries.map(([slug]) => ({ slug })),
      );
    for (const [key, list] of entries)
      if (Array.isArray(list))
        for (const place of [path, `${path}/${key}`, key]) add(place, list.filter(isObject));
  }

  /** One for each state of what is in the list, and one for each value of an option. */
  async #calls(path: string, parameters: readonly Parameter[]): Promise<Call[]> {
    let calls: Call[] = [{ name: path, path }];
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      const filled: Call[] = [];
      for (const call of calls)
        for (const [state, value] of await this.#values(call.path, name))
          filled.push({
            name: call.name + (state === '' ? '' : `~${state}`),
            path: call.path.replace(`{${name}}`, encodeURIComponent(value)),
          });
      calls = filled;
    }
    const [first = { name: path, path }] = calls;
    for (const { name, in: place, schema } of parameters)
      for (const value of place === 'query' && calls.length < MOST_LINKS ? (schema.enum ?? []) : [])
        calls.push({
          name: `${first.name}?${name}=${value}`,
          path: `${first.path}?${name}=${value}`,
        });
    return calls;
  }

  /** Values of the next parameter by the state of the item: from a list, or from links. */
  async #values(path: string, name: string): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    const [before = '', after = ''] = path.split(`/{${name}}`);
    const word = before.split('/').at(-1) ?? '';
    const elsewhere = [before.replace('/api/', '/api/admin/'), before.replace('/admin/', '/')];
    const showcase = [...this.#items.keys()].filter((key) => key.startsWith(`${before}-`));
    for (const list of [before, ...elsewhere, ...showcase, before.replace(`/${name}`, ''), word])
      for (const item of values.size > 0 ? [] : (this.#items.get(list) ?? [])) {
        const value =
          item[name]?.slug ??
          item[name] ??
          item.id ??
          item.slug ??
          item.number ??
          item.version ??
          item.name;
        const state = typeof item.state === 'string' ? item.state : '';
        if (value !== undefined && !values.has(state)) values.set(state, String(value));
      }
    for (const link of values.size > 0 ? [] : this.links) {
      const [, value] = link.startsWith(`${before}/`)
        ? link.slice(before.length).split(/[/?#]/)
        : [];
      if (value && values.size < MOST_LINKS && ![...values.values()].includes(value))
        values.set(String(values.size + 1), decodeURIComponent(value));
    }
    // Any token of a link that opens it.
    for (const link of values.size === 0 && name === 'token' ? this.links : []) {
      const token = /[\w-]{20,}(\.[\w-]+)*$/.exec(link)?.[0];
      if (!token || values.size > 0) continue;
      const { status } = await this.#people.anonymous.send('GET', `${before}/${token}`);
      if (status < 400) values.set('', token);
    }
    if (values.size === 0) this.unfilled.add(`${name} of ${before}${after}`);
    return values.size === 0 ? values.set('', 'nothing-there') : values;
  }

  async #save(person: string, name: string, answer: Answer): Promise<void> {
    const isJson = answer.headers.get('content-type')?.includes('json');
    const value = {
      status: answer.status,
      headers: plainHeaders(this.#desk, answer.headers),
      body: isJson
        ? plainValue(this.#desk, JSON.parse(answer.text || 'null'))
        : plainText(this.#desk, answer.text).split('\n'),
    };
    await mkdir(join(this.#folder, person), { recursive: true });
    const file = `${name.replace(' /', ' ').replaceAll('/', '.')}.json`;
    await writeFile(join(this.#folder, person, file), `${JSON.stringify(value, null, 1)}\n`);
  }
}
