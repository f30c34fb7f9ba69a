/** The audit log has no way in yet: other features write to it through its door. */
import type { Feature } from '#platform/feature.ts';

export const audit: Feature = { name: 'audit' };
