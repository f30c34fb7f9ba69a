/**
 * Proofs of payment: the file is received, inspected, and recorded in the caller's transaction; the
 * caller discards it after a failure and checks who may read it. The original is stored with its
 * hash; images are shown as a re-encoded copy.
 */
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Incoming } from '#platform/files/files.ts';
import { readUpload, refuseWhileFull } from '#platform/http/upload.ts';
import { extensions, MAX_PAGES, proofType, SIGNATURE_BYTES, type ProofType } from './inspection.ts';
import { inspectPdf, type Fault } from './pdf.ts';
import { redraw } from './picture.ts';
import { countUpload } from './quota.ts';
import * as store from './store.ts';

export type Proof = store.ProofRow;

export const folder = 'public/transaction-proofs';
/** Specification, section 8. */
const maxProofBytes = 5 * 1024 * 1024;

/** On the disk under a temporary name, with a type accepted by its first bytes. */
export interface UploadedProof {
  readonly file: Incoming;
  readonly name: string;
  readonly type: ProofType;
}

/** On the disk under its final names, without a row. */
export interface ReceivedProof {
  readonly sha256: Buffer;
  readonly original_name: string;
  readonly content_type: ProofType;
  readonly size_bytes: number;
  readonly stored_name: string;
  readonly view_name: string | null;
}

type FileDeps = Pick<Deps, 'files' | 'log'>;

const messages = {
  type: 'The proof must be a file of type: jpeg, png, webp, pdf.',
  misnamed: (ending: string) =>
    `The proof is damaged, or is not the ${ending.toUpperCase()} file that its name says. Save it again, or take a screenshot.`,
  brokenImage: 'The proof could not be read as an image. Take a new picture or screenshot.',
} as const;

const pdfMessages: Readonly<Record<Fault, string>> = {
  broken: 'The proof is not a complete PDF. Save it again and upload the new file.',
  active:
    'The proof must not contain scripts or attachments. Print it to a new PDF, or take a screenshot.',
  locked: 'The proof is protected by a password. Save it without one, or take a screenshot.',
  long: `The proof must not have more than ${MAX_PAGES} pages. Upload only those that show your payment.`,
  costly: 'The proof takes too long to read. Print it to a new PDF, or take a screenshot.',
};

/**
 * Reads the upload without inspecting it. Follow with `keepProof`, or discard the file.
 * @throws Refusal 429 `too_many_uploads` and 503 `storage_full` before the body is read; 422 on
 *   `proof`, 413, 400
 */
export async function receiveProof(
  deps: FileDeps & Pick<Deps, 'db' | 'config'>,
  request: FastifyRequest,
  userId: Id,
): Promise<UploadedProof> {
  // First, so that a full disk does not use up the user's quota.
  await refuseWhileFull(deps.files);
  await countUpload(deps, userId, request.headers['content-length']);
  const { file, name } = await readUpload(deps.files, request, {
    field: 'proof',
    folder,
    maxBytes: maxProofBytes,
  });
  return withType(file, name);
}

/** For a file in memory. */
export async function receiveBytes(
  deps: FileDeps,
  bytes: Buffer,
  name: string,
): Promise<ReceivedProof> {
  const file = await deps.files.receive(folder, Readable.from([bytes]), maxProofBytes);
  return keepProof(deps, await withType(file, name));
}

function unknownType(name: string): string {
  const ending = /\.(jpe?g|png|webp|pdf)$/i.exec(name)?.[1];
  return ending === undefined ? messages.type : messages.misnamed(ending);
}

async function withType(file: Incoming, name: string): Promise<UploadedProof> {
  try {
    const type = proofType(await firstBytes(file.path));
    if (!type) throw invalid({ proof: unknownType(name) });
    return { file, name, type };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGNATURE_BYTES));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Inspects an uploaded file and gives it its final name, or discards it.
 * @throws Refusal 422 on `proof`; 503 when too many wait to be inspected
 */
export async function keepProof(
  deps: FileDeps,
  { file, name, type }: UploadedProof,
): Promise<ReceivedProof> {
  let view_name: string | null = null;
  try {
    if (type === 'application/pdf') {
      const fault = await inspectPdf(file.path);
      if (fault) throw invalid({ proof: pdfMessages[fault] });
    } else {
      const view = await redraw(file.path);
      if (!view) throw invalid({ proof: messages.brokenImage });
      view_name = await deps.files.save(folder, view, 'jpg');
    }
    return {
      sha256: file.sha256,
      original_name: displayName(name, type),
      content_type: type,
      size_bytes: file.sizeBytes,
      view_name,
      stored_name: await file.keep(extensions[type]),
    };
  } catch (error) {
    await file.discard();
    if (view_name) await discardFiles(deps, [view_name]);
    throw error;
  }
}

export async function discardProof(deps: FileDeps, proof: ReceivedProof): Promise<void> {
  await discardFiles(deps, [proof.stored_name, proof.view_name ?? []].flat());
}

/** The caller has locked the exchange and checked that it accepts another proof. */
export async function recordProof(
  tx: Tx,
  proof: ReceivedProof,
  of: { exchange_id: Id; uploaded_by: Id; at: Date },
): Promise<Proof> {
  const { at: created_at, ...whose } = of;
  return store.insertProof(tx, { id: newId(), ...proof, ...whose, created_at });
}

/**
 * Returns the files, to be discarded after commit; after a crash the hourly sweep deletes them.
 */
export async function removeProofsOf(tx: Tx, exchangeIds: readonly Id[]): Promise<string[]> {
  const deleted = await store.deleteProofsOf(tx, exchangeIds);
  return deleted.flatMap((proof) => [proof.stored_name, proof.view_name ?? []].flat());
}

/** Never fails: the hourly sweep deletes the rest. */
export async function discardFiles(
  { files, log }: FileDeps,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await files
      .remove(folder, name)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'A file of a proof was not deleted; the sweep will delete it.'),
      );
  }
}

/** Oldest first. */
export const proofsOf: (db: Db, exchangeId: Id) => Promise<Proof[]> = store.listProofs;

export function proofView(proof: Proof) {
  return {
    id: proof.id,
    name: proof.original_name,
    content_type: proof.content_type,
    size_bytes: proof.size_bytes,
    uploaded_at: proof.created_at.toISOString(),
  };
}

/**
 * Images are sent as their re-encoded copy; a PDF or an original is a download.
 * @throws Refusal 404 without the proof or its file
 */
export async function sendProof(
  { files }: Pick<Deps, 'files'>,
  reply: FastifyReply,
  proof: Proof | undefined,
  options: { original: boolean },
): Promise<FastifyReply> {
  if (!proof) throw notFound();
  const redrawn = proof.view_name !== null && !options.original;
  const stored = redrawn && proof.view_name ? proof.view_name : proof.stored_name;
  const file = await files.open(folder, stored);
  if (!file) {
    reply.log.error({ proof: proof.id }, 'A proof has a row but no file.');
    throw notFound();
  }
  const name = redrawn ? proof.original_name.replace(/\.[^.]*$/, '.jpg') : proof.original_name;
  return reply
    .type(redrawn ? 'image/jpeg' : proof.content_type)
    .header('content-length', file.sizeBytes)
    .header('content-disposition', disposition(redrawn ? 'inline' : 'attachment', name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-site')
    .header('cache-control', 'private, no-store')
    .send(file.stream);
}

/** RFC 6266 with an ASCII name and the full name in RFC 8187's encoding. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const MAX_NAME = 120;

/** The uploaded name without path, control and direction characters, with the extension of its type. */
function displayName(name: string, type: ProofType): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\.[^.]*$/, '')
    .trim()
    .slice(0, MAX_NAME);
  return `${plain.toWellFormed() || 'proof'}.${extensions[type]}`;
}
