/** The large rosette, computed once at build. Pages colour it as a mask. */
import { largeLayers, rosetteSvg } from '#lib/ui/guilloche.ts';

export const prerender = true;

export function GET(): Response {
  return new Response(rosetteSvg(largeLayers, 1000, 0.9, '#000'), {
    headers: { 'content-type': 'image/svg+xml' },
  });
}
