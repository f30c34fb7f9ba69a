/** The market has no endpoints of its own: the synchronisation writes it, pairs read it. */
import type { Feature } from '#platform/feature.ts';

export const market: Feature = { name: 'market' };
