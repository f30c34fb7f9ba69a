/** Uploads of pictures to the library. Their outcome is shown here: a dialog covers the toasts. */
import { uploadMedia, type MediaItem } from '@cambist/contract/media';
import type { Failure } from '#lib/api/client.ts';
import { upload, type FileToSend } from '#lib/api/upload.ts';
import { Uploads } from '#lib/api/uploads.svelte.ts';
import { m } from '#lib/paraglide/messages.js';
import { pictureFault } from './picture-file.ts';

export class PictureUploads extends Uploads {
  readonly #onadded: (item: MediaItem) => void;

  constructor(onadded: (item: MediaItem) => void) {
    super();
    this.#onadded = onadded;
  }

  /** Some would be lost if the page is left. */
  get isBusy(): boolean {
    return this.list.some(({ state }) => state !== 'refused');
  }

  protected isPicture(): boolean {
    return true;
  }

  protected faultOf(file: File): string | null {
    const fault = pictureFault(file);
    if (fault === 'too_large') return m.media_too_large();
    if (fault === 'empty') return m.media_empty();
    return fault === 'wrong_type' ? m.media_wrong_type() : null;
  }

  protected async send(options: FileToSend): Promise<string> {
    const { data: item } = await upload(uploadMedia, { params: undefined, ...options });
    this.#onadded(item);
    return m.media_added({ name: item.name });
  }

  protected refusalOf({ status, code }: Failure): string | undefined {
    if (status === 413) return m.media_too_large();
    const isUnknown = status === 0 || (status >= 500 && code !== 'storage_full');
    return isUnknown ? m.media_unanswered() : undefined;
  }
}
