/** The styles of buttons and links that look like buttons. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const base =
  'inline-flex items-center justify-center gap-2 rounded-md border font-semibold select-none ' +
  'transition-colors duration-100 disabled:opacity-55 aria-disabled:opacity-55';

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:not-disabled:bg-accent-strong',
  secondary:
    'border-edge bg-surface text-ink hover:not-disabled:border-ink-3 hover:not-disabled:bg-sunken',
  quiet:
    'border-transparent bg-transparent text-ink-2 hover:not-disabled:bg-sunken hover:not-disabled:text-ink',
  danger: 'border-transparent bg-danger text-on-danger hover:not-disabled:bg-danger-strong',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3 py-1 text-small',
  md: 'min-h-11 px-4 py-2 text-[0.9375rem]',
  lg: 'min-h-13 px-6 max-[16rem]:px-3 py-2.5 text-[1.0313rem]',
};

export function buttonClass(variant: ButtonVariant, size: ButtonSize, wide: boolean): string {
  // A wide button may contain an amount wider than a phone. Others are one line, except on a phone
  // with large text.
  const room = wide
    ? 'w-full min-w-0 text-balance wrap-anywhere'
    : 'shrink-0 max-sm:max-w-full max-sm:text-balance sm:whitespace-nowrap';
  return `${base} ${variants[variant]} ${sizes[size]} ${room}`;
}
