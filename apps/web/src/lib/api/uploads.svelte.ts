/** Uploads of files, one after the other; finished ones leave the list. */
import { m } from '#lib/paraglide/messages.js';
import { ApiError, type Failure } from './client.ts';
import type { FileToSend } from './upload.ts';

export class Upload {
  readonly file: File;
  /** A local address of the picture; null for another file. */
  readonly preview: string | null;
  /** `refused` is final; `failed` may be retried. */
  state: 'waiting' | 'sending' | 'refused' | 'failed' = $state('waiting');
  /** From 0 to 1; 1 while the API looks at the file. */
  share = $state(0);
  /** Why it was refused or failed. */
  message: string | null = $state(null);
  /** The session has ended. */
  signedOut = $state(false);
  readonly abort = new AbortController();

  constructor(file: File, isPicture: boolean) {
    this.file = file;
    this.preview = isPicture ? URL.createObjectURL(file) : null;
  }
}

export abstract class Uploads {
  list: Upload[] = $state([]);
  /** What became of the last upload. */
  outcome = $state('');
  #sending = false;

  protected abstract isPicture(file: File): boolean;
  /** Why this file is not sent at all. */
  protected abstract faultOf(file: File): string | null;
  /** @returns what to say of the file that has arrived */
  protected abstract send(options: FileToSend): Promise<string>;
  /** The sentence for a refusal, where it is another one than everywhere. */
  protected abstract refusalOf(failure: Failure): string | undefined;

  add(files: Iterable<File>): void {
    for (const file of files) {
      const one = new Upload(file, this.isPicture(file));
      one.message = this.faultOf(file);
      if (one.message !== null) one.state = 'refused';
      this.list.push(one);
    }
    void this.#work();
  }

  retry(one: Upload): void {
    one.state = 'waiting';
    one.share = 0;
    one.message = null;
    one.signedOut = false;
    void this.#work();
  }

  /** Stops the upload, or takes a refused file off the list. */
  drop(one: Upload): void {
    one.abort.abort();
    this.list = this.list.filter((each) => each !== one);
    if (one.preview !== null) URL.revokeObjectURL(one.preview);
  }

  stop(): void {
    for (const one of this.list) this.drop(one);
  }

  async #work(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      const next = () => this.list.find(({ state }) => state === 'waiting');
      for (let one = next(); one; one = next()) await this.#send(one);
    } finally {
      this.#sending = false;
    }
  }

  async #send(one: Upload): Promise<void> {
    const { file, abort } = one;
    const { signal } = abort;
    one.state = 'sending';
    try {
      const onprogress = (share: number) => (one.share = share);
      this.outcome = await this.send({ file, signal, onprogress });
      this.drop(one);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      const { failure, status } = error;
      one.message = this.refusalOf(failure) ?? failureMessage(failure);
      one.signedOut = status === 401;
      one.state = isWorthAnotherTry(status) ? 'failed' : 'refused';
    }
  }
}

/** Nothing is wrong with the file: the API, or who is signed in, was not ready for it. */
function isWorthAnotherTry(status: number): boolean {
  return status === 0 || status === 401 || status === 429 || status >= 500;
}

function failureMessage({ status, code, errors, message }: Failure): string {
  if (code === 'storage_full') return m.ui_failure_storage_full();
  if (status === 401) return m.ui_failure_signed_out();
  if (status === 403) return m.ui_failure_forbidden();
  if (status === 429) return m.ui_failure_too_often();
  if (status >= 500) return m.ui_failure_server();
  return Object.values(errors)[0]?.[0] ?? message;
}
