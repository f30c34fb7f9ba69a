/**
 * Uploads one file, with progress and cancel. It uses XMLHttpRequest because fetch has no upload
 * progress.
 */
import type { Endpoint, ParamsOf, ReplyOf } from '@cambist/contract/endpoint';
import {
  ApiError,
  csrfToken,
  endpointUrl,
  failureFrom,
  withTokenRenewal,
  type Inputs,
} from './client.ts';

export interface FileToSend {
  file: File;
  /** From 0 to 1. */
  onprogress: (share: number) => void;
  /** Aborting rejects with the signal's reason. */
  signal: AbortSignal;
}

interface UploadOptions<E> extends FileToSend {
  params: ParamsOf<E>;
}

/**
 * Sends the file in the endpoint's upload field.
 * @throws {ApiError}
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  options: UploadOptions<E>,
): Promise<ReplyOf<E>> {
  const url = endpointUrl(endpoint, { params: options.params } as Inputs<E>);
  const field = endpoint.upload ?? 'file';
  const answer = await withTokenRenewal(endpoint, async (user) =>
    post(url, field, { ...user, 'X-XSRF-TOKEN': await csrfToken() }, options),
  );
  if (answer.status >= 200 && answer.status < 300) return answer.body as unknown as ReplyOf<E>;
  throw new ApiError(failureFrom(answer.status, answer.body ?? {}, answer.requestId));
}

interface Answer {
  status: number;
  body: object | null;
  requestId: string | null;
}

function post<E>(
  url: string,
  field: string,
  headers: Record<string, string>,
  options: UploadOptions<E>,
): Promise<Answer> {
  const { file, onprogress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', url);
    request.withCredentials = true;
    request.responseType = 'json';
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onprogress(loaded / total);
    };
    request.onload = () =>
      resolve({
        status: request.status,
        body: request.response as object | null,
        requestId: request.getResponseHeader('X-Request-Id'),
      });
    request.onerror = () =>
      reject(
        new ApiError({
          status: 0,
          code: 'unreachable',
          message: 'The service could not be reached.',
          errors: {},
          request_id: null,
        }),
      );
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', abort);
    const body = new FormData();
    body.append(field, file, file.name);
    request.send(body);
  });
}
