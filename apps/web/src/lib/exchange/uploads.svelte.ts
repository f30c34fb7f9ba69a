/**
 * Proofs being uploaded, each with preview, progress, cancel and retry. An uploaded proof leaves
 * this list: the exchange shows it.
 */
import { uploadProof } from '@cambist/contract/exchanges';
import { ApiError, type Failure } from '#lib/api/client.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { upload } from '#lib/api/upload.ts';
import type { LiveExchange } from './live.svelte.ts';
import {
  fileSize,
  maxProofs,
  proofFault,
  proofKind,
  type ProofFault,
  type ProofKind,
} from './proof-file.ts';

/** `refused` for good, `failed` may be tried again. */
export type UploadState = 'sending' | 'refused' | 'failed';

export class ProofUpload {
  readonly file: File;
  readonly kind: ProofKind | null;
  /** A local address of the picture; null for what is none. */
  readonly preview: string | null;
  state: UploadState = $state('sending');
  /** From 0 to 1; 1 while the service looks at the file. */
  share = $state(0);
  message: string | null = $state(null);
  /** It was not taken since the session ended. */
  signedOut = $state(false);
  abort: AbortController | null = null;

  constructor(file: File) {
    this.file = file;
    this.kind = proofKind(file);
    this.preview = this.kind === 'image' ? URL.createObjectURL(file) : null;
  }
}

export class ProofUploads {
  list: ProofUpload[] = $state([]);
  /** Said to screen readers when a file has arrived. */
  announcement = $state('');
  readonly #live: LiveExchange;

  constructor(live: LiveExchange) {
    this.#live = live;
  }

  /** How many more files the exchange takes, those on their way counted. */
  get room(): number {
    const sending = this.list.filter(({ state }) => state === 'sending').length;
    return maxProofs - this.#live.exchange.proofs.length - sending;
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      const one = new ProofUpload(file);
      const fault = proofFault(file);
      if (fault !== null) refuse(one, faultWords(fault, file));
      else if (this.room < 1) refuse(one, m.exchange_proof_too_many({ count: maxProofs }));
      this.list.push(one);
      if (one.state === 'sending') void this.#send(one);
    }
  }

  retry(one: ProofUpload): void {
    one.state = 'sending';
    one.share = 0;
    one.message = null;
    one.signedOut = false;
    void this.#send(one);
  }

  /** Stops what is being sent, or takes a refused file off the list. */
  drop(one: ProofUpload): void {
    one.abort?.abort();
    this.#remove(one);
  }

  stop(): void {
    for (const one of this.list) this.drop(one);
  }

  async #send(one: ProofUpload): Promise<void> {
    one.abort = new AbortController();
    const { signal } = one.abort;
    try {
      await upload(uploadProof, {
        params: { number: this.#live.exchange.number },
        file: one.file,
        signal,
        onprogress: (share) => (one.share = share),
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      // If only the answer was lost, the next try is answered with the proof that was made.
      await this.#live.refresh();
      return failed(one, error.failure);
    }
    await this.#live.refresh();
    this.announcement = m.exchange_proof_done({ name: one.file.name });
    this.#remove(one);
  }

  #remove(one: ProofUpload): void {
    this.list = this.list.filter((each) => each !== one);
    if (one.preview !== null) URL.revokeObjectURL(one.preview);
  }
}

function refuse(one: ProofUpload, message: string): void {
  one.state = 'refused';
  one.message = message;
}

function failed(one: ProofUpload, failure: Failure): void {
  one.message = failureWords(failure);
  one.signedOut = failure.status === 401;
  one.state = isWorthAnotherTry(failure) ? 'failed' : 'refused';
}

function faultWords(fault: ProofFault, file: File): string {
  if (fault === 'too_large')
    return m.exchange_proof_too_large({ size: fileSize(file.size, getLocale()) });
  return fault === 'empty' ? m.exchange_proof_empty() : m.exchange_proof_wrong_type();
}

/** Nothing is wrong with the file: the service, or who is signed in, was not ready for it. */
function isWorthAnotherTry(failure: Failure): boolean {
  const { status } = failure;
  return status === 0 || status === 401 || status === 429 || status >= 500;
}

function failureWords(failure: Failure): string {
  const { status, code, errors, message } = failure;
  if (status === 0) return m.exchange_proof_lost();
  if (status === 413) return m.exchange_proof_refused_large();
  if (status === 401) return m.ui_failure_signed_out();
  if (code === 'too_many_uploads') return m.exchange_proof_too_many_day();
  if (code === 'storage_full') return m.ui_failure_storage_full();
  if (status === 429) return m.ui_failure_too_often();
  if (status >= 500) return m.ui_failure_server();
  if (code === 'exchange_not_payable') return m.exchange_proof_not_payable();
  if (code === 'too_many_proofs') return m.exchange_proof_too_many({ count: maxProofs });
  return errors['proof']?.[0] ?? message;
}
