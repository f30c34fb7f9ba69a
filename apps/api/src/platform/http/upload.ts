/**
 * Streams the one file of an upload to disk. The multipart limits end a file that is too large; the whole
 * body is counted here, since a chunked request declares no length.
 */
import type { FastifyRequest } from 'fastify';
import { invalid } from '#kernel/refusal.ts';
import { storageFull, tooLarge } from './errors.ts';
import { LEAST_FREE_BYTES, type Files, type Incoming } from '#platform/files/files.ts';
import { UPLOAD_LIMIT_BYTES } from './serve.ts';

export interface Upload {
  readonly file: Incoming;
  /** The sender's file name; never used as a path. */
  readonly name: string;
}

export interface UploadPlan {
  /** The name of the form's one file field. */
  readonly field: string;
  /** Under DATA_DIR. */
  readonly folder: string;
  readonly maxBytes: number;
}

/** @throws Refusal 503 `storage_full` while the disk of DATA_DIR is nearly full */
export async function refuseWhileFull(files: Files): Promise<void> {
  const freeBytes = await files.freeBytes();
  if (freeBytes >= LEAST_FREE_BYTES) return;
  throw storageFull(`${freeBytes} bytes are free on the disk of DATA_DIR.`);
}

/**
 * @throws Refusal 503 `storage_full` before anything is read; 422 on the field when it is missing, too
 *   large or incomplete; 413 over the body's limit; 401 or 403 when the caller may no longer upload it
 */
export async function readUpload(
  files: Files,
  request: FastifyRequest,
  plan: UploadPlan,
): Promise<Upload> {
  await refuseWhileFull(files);
  const { field, folder, maxBytes } = plan;
  let upload: Upload | null = null;
  const body = countBody(request);
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
      if (part.type !== 'file') continue;
      if (part.fieldname === field && upload === null) {
        const file = await files.receive(folder, part.file, maxBytes);
        upload = { file, name: writtenName(part.filename) };
      } else {
        part.file.resume();
      }
    }
    const whole = checked(upload, field);
    await request.recheck();
    return whole;
  } catch (error) {
    await upload?.file.discard();
    throw body.isTooLarge() ? tooLarge() : asRefusal(error, plan);
  } finally {
    body.stop();
    // Drain what the parser left unread, or the connection takes no further request.
    request.raw.resume();
  }
}

/** How browsers encode quotes and line ends in file names (HTML Standard, multipart/form-data). */
function writtenName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0[AD]/g, '');
}

function checked(upload: Upload | null, field: string): Upload {
  if (upload === null) throw invalid({ [field]: `The ${field} field is required.` });
  if (upload.file.sizeBytes === 0) throw invalid({ [field]: `The ${field} is empty.` });
  return upload;
}

/** Past the limit the parser gets an error and stores nothing more. */
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

/** Some errors of the parser have no code. */
function asRefusal(error: unknown, { field, maxBytes }: UploadPlan): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return invalid({
      [field]: `The ${field} must not be greater than ${maxBytes / 1024} kilobytes.`,
    });
  }
  const isFault = /multipart|terminated early|boundary/i.test(error.message);
  return isFault && code === undefined
    ? invalid({ [field]: `The ${field} failed to upload.` })
    : error;
}
