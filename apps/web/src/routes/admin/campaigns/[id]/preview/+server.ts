/**
 * The email of a campaign as a document of its own, to be shown in a frame: its
 * styles stand at its elements, as mailboxes want them, and nothing of it runs.
 */
import { error } from '@sveltejs/kit';
import { previewCampaign } from '@cambist/contract/campaigns';
import { ApiError } from '#lib/api/client.ts';
import type { RequestHandler } from './$types.js';

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

export const GET: RequestHandler = async ({ locals, params }) => {
  try {
    const { data } = await locals.call(previewCampaign, { params: { id: params.id } });
    // Links open outside of the frame.
    const html = data.html.replace('<head>', '<head>\n<base target="_blank">');
    return new Response(html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'x-frame-options': 'SAMEORIGIN',
      },
    });
  } catch (failure) {
    if (failure instanceof ApiError) error(failure.status || 503, failure.message);
    throw failure;
  }
};
