/** Proofs being uploaded. An uploaded proof leaves this list: the exchange shows it. */
import { uploadProof } from '@cambist/contract/exchanges';
import type { Failure } from '#lib/api/client.ts';
import { upload, type FileToSend } from '#lib/api/upload.ts';
import { Uploads } from '#lib/api/uploads.svelte.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import type { LiveExchange } from './live.svelte.ts';
import { fileSize, maxProofs, proofFault, proofKind } from './proof-file.ts';

export class ProofUploads extends Uploads {
  readonly #live: LiveExchange;

  constructor(live: LiveExchange) {
    super();
    this.#live = live;
  }

  /** How many more files the exchange takes, those on their way counted. */
  get room(): number {
    const unsent = this.list.filter(({ state }) => state === 'waiting' || state === 'sending');
    return maxProofs - this.#live.exchange.proofs.length - unsent.length;
  }

  protected isPicture(file: File): boolean {
    return proofKind(file) === 'image';
  }

  protected faultOf(file: File): string | null {
    const fault = proofFault(file);
    if (fault === 'too_large')
      return m.exchange_proof_too_large({ size: fileSize(file.size, getLocale()) });
    if (fault === 'empty') return m.exchange_proof_empty();
    if (fault === 'wrong_type') return m.exchange_proof_wrong_type();
    return this.room < 1 ? m.exchange_proof_too_many({ count: maxProofs }) : null;
  }

  protected async send(options: FileToSend): Promise<string> {
    try {
      const { number } = this.#live.exchange;
      await upload(uploadProof, { params: { number }, ...options });
    } finally {
      // If only the answer was lost, the next try is answered with the proof that was made.
      if (!options.signal.aborted) await this.#live.refresh();
    }
    return m.exchange_proof_done({ name: options.file.name });
  }

  protected refusalOf({ status, code }: Failure): string | undefined {
    if (status === 0) return m.exchange_proof_lost();
    if (status === 413) return m.exchange_proof_refused_large();
    if (code === 'too_many_uploads') return m.exchange_proof_too_many_day();
    if (code === 'exchange_not_payable') return m.exchange_proof_not_payable();
    if (code === 'too_many_proofs') return m.exchange_proof_too_many({ count: maxProofs });
    return undefined;
  }
}
