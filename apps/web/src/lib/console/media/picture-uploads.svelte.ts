/** Uploads of pictures to the library, one after the other; finished ones leave the list. */
import { uploadMedia, type MediaItem } from '@cambist/contract/media';
import { ApiError, type Failure } from '#lib/api/client.ts';
import { m } from '#lib/paraglide/messages.js';
import { upload } from '#lib/api/upload.ts';
import { pictureFault, type PictureFault } from './picture-file.ts';

export class PictureUpload {
  readonly file: File;
  /** A local address of the picture. */
  readonly preview: string;
  /** `refused` for good, `failed` may be retried. */
  state: 'waiting' | 'sending' | 'refused' | 'failed' = $state('waiting');
  /** From 0 to 1; 1 while the API draws the sizes. */
  share = $state(0);
  message: string | null = $state(null);
  /** The session has ended. */
  signedOut = $state(false);
  readonly abort = new AbortController();

  constructor(file: File) {
    this.file = file;
    this.preview = URL.createObjectURL(file);
    const fault = pictureFault(file);
    if (fault === null) return;
    this.state = 'refused';
    this.message = faultMessage(fault);
  }
}

export class PictureUploads {
  list: PictureUpload[] = $state([]);
  /** What became of the last upload: shown here, since a dialog covers the toasts. */
  outcome = $state('');
  readonly #onadded: (item: MediaItem) => void;
  #sending = false;

  constructor(onadded: (item: MediaItem) => void) {
    this.#onadded = onadded;
  }

  /** Some would be lost if the page is left. */
  get isBusy(): boolean {
    return this.list.some(({ state }) => state !== 'refused');
  }

  add(files: Iterable<File>): void {
    for (const file of files) this.list.push(new PictureUpload(file));
    void this.#work();
  }

  retry(one: PictureUpload): void {
    one.state = 'waiting';
    one.share = 0;
    one.message = null;
    one.signedOut = false;
    void this.#work();
  }

  /** Stops the upload, or takes a refused file off the list. */
  drop(one: PictureUpload): void {
    one.abort.abort();
    this.list = this.list.filter((each) => each !== one);
    URL.revokeObjectURL(one.preview);
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

  async #send(one: PictureUpload): Promise<void> {
    const { signal } = one.abort;
    one.state = 'sending';
    try {
      const onprogress = (share: number) => (one.share = share);
      const request = { params: undefined, file: one.file, signal, onprogress };
      const { data: item } = await upload(uploadMedia, request);
      this.drop(one);
      this.outcome = m.media_added({ name: item.name });
      this.#onadded(item);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      const { status } = error.failure;
      one.message = failureMessage(error.failure);
      one.signedOut = status === 401;
      one.state = status === 422 || status === 413 || status === 403 ? 'refused' : 'failed';
    }
  }
}

function faultMessage(fault: PictureFault): string {
  if (fault === 'too_large') return m.media_too_large();
  return fault === 'empty' ? m.media_empty() : m.media_wrong_type();
}

function failureMessage(failure: Failure): string {
  const { status, code, errors, message } = failure;
  if (code === 'storage_full') return m.ui_failure_storage_full();
  if (status === 413) return m.media_too_large();
  if (status === 401) return m.ui_failure_signed_out();
  if (status === 403) return m.ui_failure_forbidden();
  if (status === 429) return m.ui_failure_too_often();
  if (status === 0 || status >= 500) return m.media_unanswered();
  return errors['file']?.[0] ?? message;
}
