/** Lists, tables and quotations: where these begin and end is seen, and no sign among the words tells it. Pure. */

/** An item, a row or a quoted paragraph, and what holds it. */
export interface Place {
  readonly kind: 'lists' | 'tables' | 'quotations';
  /** Counted among those with words: nobody sees others. */
  readonly container: number;
  readonly part: number;
}

type Kind = Place['kind'];

const containers: Readonly<Record<string, Kind>> = {
  ul: 'lists',
  ol: 'lists',
  table: 'tables',
  blockquote: 'quotations',
};
const parts: Readonly<Record<string, Kind>> = { li: 'lists', tr: 'tables', p: 'quotations' };

/** What stands around the next word, while HTML is read. */
export class Containers {
  readonly #open: { kind: Kind; container: number; place: Place | undefined }[] = [];
  #containers = 0;
  #parts = 0;

  open(name: string): void {
    const [kind, around] = [containers[name], this.#open.at(-1)];
    if (kind !== undefined) this.#open.push({ kind, container: 0, place: undefined });
    else if (around !== undefined && parts[name] === around.kind) around.place = undefined;
  }

  close(name: string): void {
    if (containers[name] !== undefined) this.#open.pop();
  }

  /** Of a word: the same one for all words of a part. */
  place(): Place | undefined {
    const around = this.#open.at(-1);
    if (around === undefined || around.place !== undefined) return around?.place;
    if (around.container === 0) around.container = this.#containers += 1;
    const { kind, container } = around;
    around.place = { kind, container, part: (this.#parts += 1) };
    return around.place;
  }
}
