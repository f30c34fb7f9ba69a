/** The post's ways in. */
import type { Feature } from '#platform/feature.ts';

export const mail: Feature = { name: 'mail' };
