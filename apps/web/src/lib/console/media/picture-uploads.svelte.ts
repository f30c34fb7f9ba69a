/**
 * Pictures on their way to the library, one after the other: each with its
 * preview, progress, cancel and retry. What has arrived leaves this list.
 */
import { uploadMedia, type MediaItem } from '@cambist/contract/media';
import { ApiError, type Failure } from '#lib/api/client.ts';
import { m } from '#lib/paraglide/messages.js';
import { isUnsure } from '#lib/api/uncertain.ts';
import { upload } from '#lib/api/upload.ts';
import { pictureFault, type PictureFault } from './picture-file.ts';
import { losesMotion } from './picture-motion.ts';
import { headBytes, maxPixels, pixelsIn } from './picture-size.ts';

/** `refused` for good, `failed` may be tried again. */
type UploadState = 'waiting' | 'sending' | 'refused' | 'failed';

export class PictureUpload {
  readonly file: File;
  /** A local address of the picture; null for what is none, or is too large to be drawn here. */
  preview: string | null = $state(null);
  #isGone = false;
  state: UploadState = $state('waiting');
  /** From 0 to 1; 1 while the service draws the sizes. */
  share = $state(0);
  message: string | null = $state(null);
  /** It was not taken since the session ended. */
  signedOut = $state(false);
  readonly abort = new AbortController();
  /** When it was sent first and no answer came, by `performance.now()`: it may have been added then. */
  unanswered: number | null = null;
  /** Its first bytes; null where they cannot be read. */
  readonly #head: Promise<Uint8Array<ArrayBuffer> | null>;

  constructor(file: File) {
    this.file = file;
    const read = file.slice(0, headBytes).arrayBuffer();
    this.#head = read.then((bytes) => new Uint8Array(bytes)).catch(() => null);
    const fault = pictureFault(file);
    if (fault === null) {
      void this.#show();
      return;
    }
    this.state = 'refused';
    this.message = faultWords(fault);
  }

  async #show(): Promise<void> {
    const head = await this.#head;
    if (head === null || this.#isGone) return;
    if ((pixelsIn(head) ?? 0) > maxPixels) return;
    this.preview = URL.createObjectURL(this.file);
  }

  /** It moves, and is kept as a still. */
  async losesMotion(): Promise<boolean> {
    const head = await this.#head;
    return head !== null && losesMotion(head);
  }

  /** Gives its preview back. */
  forget(): void {
    this.#isGone = true;
    if (this.preview !== null) URL.revokeObjectURL(this.preview);
  }
}

export class PictureUploads {
  list: PictureUpload[] = $state([]);
  /** Said to screen readers when a picture has arrived. */
  announcement = $state('');
  /** Files added last that were there before, with their names in the library. */
  known: readonly { readonly file: string; readonly name: string }[] = $state.raw([]);
  /** Names of those added last that moved, and are kept as a still. */
  stills: readonly string[] = $state.raw([]);
  readonly #onadded: (item: MediaItem, isNew: boolean) => void;
  #sending = false;

  constructor(onadded: (item: MediaItem, isNew: boolean) => void) {
    this.#onadded = onadded;
  }

  /** Some have not arrived yet: they go with the page. */
  get isBusy(): boolean {
    return this.list.some(({ state }) => state !== 'refused');
  }

  /** One that is in the list already stands there once: it is on its way, or is tried anew. */
  add(files: Iterable<File>): void {
    if (!this.isBusy) this.stills = this.known = [];
    for (const file of files) this.#add(file);
    void this.#work();
  }

  #add(file: File): void {
    const there = this.list.find(({ file: one, state }) => isAgain(one, file, state));
    if (there?.state === 'failed') this.retry(there);
    if (there?.state === 'refused') this.#remove(there);
    if (there === undefined || there.state === 'refused') this.list.push(new PictureUpload(file));
  }

  retry(one: PictureUpload): void {
    one.state = 'waiting';
    one.share = 0;
    one.message = null;
    one.signedOut = false;
    void this.#work();
  }

  /** Stops what is being sent, or takes a refused file off the list. */
  drop(one: PictureUpload): void {
    one.abort.abort();
    this.#remove(one);
  }

  stop(): void {
    for (const one of this.list) this.drop(one);
  }

  /** One at a time: the service draws fifteen files of each, and its answers come sooner. */
  async #work(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) await this.#send(next);
    } finally {
      this.#sending = false;
    }
  }

  #next(): PictureUpload | undefined {
    return this.list.find(({ state }) => state === 'waiting');
  }

  async #send(one: PictureUpload): Promise<void> {
    const { signal } = one.abort;
    one.state = 'sending';
    const began = performance.now();
    try {
      const { data } = await upload(uploadMedia, {
        params: undefined,
        file: one.file,
        signal,
        onprogress: (share) => (one.share = share),
      });
      this.#remove(one);
      const { known: isThere, age_ms, ...item } = data;
      // Younger than the first try of which nothing was heard, it was added by that.
      const isOwn = one.unanswered !== null && age_ms < performance.now() - one.unanswered;
      const known = isThere && !isOwn;
      if (known) this.known = [...this.known, { file: one.file.name, name: item.name }];
      else this.announcement = m.media_added({ name: item.name });
      if (await one.losesMotion()) this.stills = [...this.stills, one.file.name];
      this.#onadded(item, !known);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      const { status } = error.failure;
      if (isUnsure(error)) one.unanswered ??= began;
      one.message = failureWords(error.failure);
      one.signedOut = status === 401;
      one.state = status === 422 || status === 413 || status === 403 ? 'refused' : 'failed';
    }
  }

  #remove(one: PictureUpload): void {
    this.list = this.list.filter((each) => each !== one);
    one.forget();
  }
}

/** The same file, chosen once more; what was refused may have been saved once more meanwhile. */
function isAgain(one: File, other: File, state: UploadState): boolean {
  const isNamedSo = one.name === other.name && one.size === other.size;
  return isNamedSo && (state === 'refused' || one.lastModified === other.lastModified);
}

function faultWords(fault: PictureFault): string {
  if (fault === 'too_large') return m.media_too_large();
  return fault === 'empty' ? m.media_empty() : m.media_wrong_type();
}

function failureWords(failure: Failure): string {
  const { status, code, errors, message } = failure;
  if (code === 'storage_full') return m.ui_failure_storage_full();
  if (status === 0) return m.media_unanswered();
  if (status === 413) return m.media_too_large();
  if (status === 401) return m.ui_failure_signed_out();
  if (status === 403) return m.ui_failure_forbidden();
  if (status === 429) return m.ui_failure_too_often();
  if (status >= 500) return m.media_unanswered_fault();
  return errors['file']?.[0] ?? message;
}
