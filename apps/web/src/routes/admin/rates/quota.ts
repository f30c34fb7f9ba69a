/** Whether a plan lasts for the month, as arithmetic. Counts of requests, not money. Pure. */

export interface QuotaSum {
  /** What is left at the month's end; below zero, what is missing. */
  readonly left: number;
  /** The day of the month on which the plan's last request falls; null when it lasts. */
  readonly lastDay: number | null;
}

const A_DAY = 24;

/** At one request an hour; `plan` and `needed` are requests of a month. */
export function quotaSum(plan: number, needed: number): QuotaSum {
  const left = plan - needed;
  return { left, lastDay: left >= 0 ? null : Math.floor((plan - 1) / A_DAY) + 1 };
}
