/** Lists, tables and quotations: where these begin and end is seen, and no sign among the words tells it. Pure. */

/** An item, a row or a quoted paragraph; each is an object of its own. */
export interface Place {
  readonly kind: 'lists' | 'tables' | 'quotations';
  /** What holds it, counted among those with words: nobody sees others. */
  readonly container: number;
  /** What that stands in: an item, of a list within it. */
  readonly around?: Place;
}

type Kind = Place['kind'];

const containers: Readonly<Record<string, Kind>> = {
  ul: 'lists',
  ol: 'lists',
  table: 'tables',
  blockquote: 'quotations',
};
/** By whose beginning a part of it begins. A list in a quotation is none of the paragraph before it. */
const parts: Readonly<Record<Kind, readonly string[]>> = {
  lists: ['li'],
  tables: ['tr'],
  quotations: ['p', ...Object.keys(containers)],
};

/** What stands around the next word, while HTML is read. */
export class Containers {
  readonly #open: { kind: Kind; container: number; place: Place | undefined }[] = [];
  #containers = 0;

  open(name: string): void {
    const [kind, around] = [containers[name], this.#open.at(-1)];
    if (around !== undefined && parts[around.kind].includes(name)) around.place = undefined;
    if (kind !== undefined) this.#open.push({ kind, container: 0, place: undefined });
  }

  close(name: string): void {
    if (containers[name] !== undefined) this.#open.pop();
  }

  /** Of a word: the same one for all words of a part. */
  place(): Place | undefined {
    let place: Place | undefined;
    for (const each of this.#open) {
      if (each.container === 0) each.container = this.#containers += 1;
      each.place ??= {
        kind: each.kind,
        container: each.container,
        ...(place && { around: place }),
      };
      place = each.place;
    }
    return place;
  }
}
