/**
 * Proofs on their way: each with its preview, progress, cancel and retry. What
 * has arrived is told by the exchange itself and leaves this list.
 */
import { uploadProof } from '@cambist/contract/exchanges';
import { ApiError, type Failure } from '#lib/api/client.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { upload } from '#lib/api/upload.ts';
import type { LiveExchange } from './live.svelte.ts';
import {
  arrivedProof,
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
  /** Proofs that were there before the first try: a later try that meets its own is no second file. */
  known: ReadonlySet<string> | null = null;

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
  readonly #arrivedIds = new Set<string>();

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
    const before = this.#live.exchange;
    one.abort = new AbortController();
    const { signal } = one.abort;
    try {
      const params = { number: before.number };
      one.known ??= new Set([...before.proofs.map(({ id }) => id), ...this.#arrivedIds]);
      const { data } = await upload(uploadProof, {
        params,
        file: one.file,
        signal,
        onprogress: (share) => (one.share = share),
      });
      // The service answers a file that it has with the proof that it made of it.
      if (one.known.has(data.id)) return refuse(one, m.exchange_proof_already());
      this.#arrivedIds.add(data.id);
      await this.#arrived(one);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      await this.#failed(one, error.failure, before);
    }
  }

  async #arrived(one: ProofUpload): Promise<void> {
    await this.#live.refresh();
    this.announcement = m.exchange_proof_done({ name: one.file.name });
    this.#remove(one);
  }

  async #failed(
    one: ProofUpload,
    failure: Failure,
    before: LiveExchange['exchange'],
  ): Promise<void> {
    await this.#live.refresh();
    // The answer was lost, not the file: sending it again would make two of it.
    if (failure.status === 0 && arrivedProof(before, this.#live.exchange, one.file.size))
      return this.#arrived(one);
    one.message = failureWords(failure);
    one.signedOut = failure.status === 401;
    one.state = isWorthAnotherTry(failure) ? 'failed' : 'refused';
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
