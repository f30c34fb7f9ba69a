/** The labels and colours of a report's states. */
import type { ReportState } from '@cambist/contract/feature-reports';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

export const reportWords: Readonly<Record<ReportState, () => string>> = {
  new: m.contact_state_new,
  planned: m.contact_report_state_planned,
  done: m.contact_report_state_done,
  declined: m.contact_report_state_declined,
  suspected: m.contact_report_state_suspected,
};

export const reportTones: Readonly<Record<ReportState, Tone>> = {
  new: 'waiting',
  planned: 'waiting',
  done: 'done',
  declined: 'neutral',
  suspected: 'refused',
};
