/**
 * Reads the one file of an upload from the request's stream onto the disk. The
 * application's multipart limits end a file at 5 MiB; the whole body is counted
 * here as it comes, since a chunked request declares no length.
 */
import type { FastifyRequest } from 'fastify';
import { invalid } from '#kernel/refusal.ts';
import { tooLarge } from '#platform/errors.ts';
import type { Files, Incoming } from '#platform/files.ts';
import { UPLOAD_LIMIT_BYTES } from '#platform/serve.ts';

export const folder = 'public/transaction-proofs';
export const maxProofBytes = 5 * 1024 * 1024;
const FIELD = 'proof';

export interface Upload {
  readonly file: Incoming;
  readonly name: string;
}

/** @throws Refusal 422 on `proof` when it is missing, too large or broken off; 413 over the body's limit */
export async function readUpload(files: Files, request: FastifyRequest): Promise<Upload> {
  let upload: Upload | null = null;
  const body = countBody(request);
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (part.fieldname === FIELD && upload === null) {
        const file = await files.receive(folder, part.file, maxProofBytes);
        upload = { file, name: part.filename };
      } else {
        part.file.resume();
      }
    }
    return checked(upload);
  } catch (error) {
    await upload?.file.discard();
    throw body.isTooLarge() ? tooLarge() : asRefusal(error);
  } finally {
    body.stop();
    // What the parser left unread is read away, or the connection would neither
    // take another request nor notice that it was closed.
    request.raw.resume();
  }
}

function checked(upload: Upload | null): Upload {
  if (upload === null || upload.file.sizeBytes === 0) {
    throw invalid({ [FIELD]: 'The proof field is required.' });
  }
  return upload;
}

/** Past the limit the parser hears an error, so it takes and stores nothing more. */
function countBody({ raw }: FastifyRequest): { isTooLarge: () => boolean; stop: () => void } {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes <= UPLOAD_LIMIT_BYTES) return;
    raw.off('data', count);
    raw.emit('error', tooLarge());
  };
  raw.on('data', count);
  return { isTooLarge: () => bytes > UPLOAD_LIMIT_BYTES, stop: () => raw.off('data', count) };
}

/** The parser says some faults of a body without a code of its own. */
function asRefusal(error: unknown): unknown {
  const isFault =
    error instanceof Error && /multipart|terminated early|boundary/i.test(error.message);
  return isFault && !('code' in error)
    ? invalid({ [FIELD]: 'The proof failed to upload.' })
    : error;
}
