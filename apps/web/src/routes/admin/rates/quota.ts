/** Whether a plan lasts for the month, as arithmetic. Counts of requests, not money. Pure. */

export interface QuotaSum {
  /** What is left at the month's end; below zero, what is missing. */
  readonly left: number;
  /** The day of the month on which the plan's last request falls; null when it lasts. */
  readonly lastDay: number | null;
}

/** `needed` is for a month of 31 days. */
export function requestsADay(needed: number): number {
  return needed / 31;
}

/** `plan` and `needed` are requests of a month. */
export function quotaSum(plan: number, needed: number): QuotaSum {
  const left = plan - needed;
  const lastDay = Math.floor((plan - 1) / requestsADay(needed)) + 1;
  return { left, lastDay: left >= 0 ? null : lastDay };
}
