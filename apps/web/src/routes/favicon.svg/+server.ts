/** The small mark as the site's icon, computed once at build. */
import { markLayers, rosetteSvg } from '#lib/ui/guilloche.ts';

export const prerender = true;

// A middle green that stands out on light and on dark browser bars.
const green = '#1f9468';

export function GET(): Response {
  return new Response(rosetteSvg(markLayers, 64, 3, green), {
    headers: { 'content-type': 'image/svg+xml' },
  });
}
