/** How long something has waited, in the two largest units: `11 min`, `1 h 4 min`, `3 d 2 h`. */
export interface Age {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

const minuteMs = 60_000;

/** Never below zero: the clocks of two machines differ. */
export function ageOf(at: number, now: number): Age {
  const minutes = Math.max(0, Math.floor((now - at) / minuteMs));
  return {
    days: Math.floor(minutes / 1_440),
    hours: Math.floor(minutes / 60) % 24,
    minutes: minutes % 60,
  };
}
