/** Filters of the desk's list in words. */
import type { listDeskViews } from '@cambist/contract/desk-views';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { exceptionWords, stateWords } from '#lib/console/words.ts';
import { m } from '#lib/paraglide/messages.js';
import type { DeskFilters, FilterName } from './queue-name.ts';

export type Saved = ReplyOf<typeof listDeskViews>;
export type Choices = Pick<Saved, 'pairs' | 'operators'>;

/** Such as "Operator: Sam Field". */
export function filterWords(filters: DeskFilters, name: FilterName, choices: Choices): string {
  switch (name) {
    case 'state':
      return filters.state === undefined ? '' : stateWords[filters.state]();
    case 'exception':
      return filters.exception === undefined ? '' : exceptionWords[filters.exception]();
    case 'pair': {
      const pair = choices.pairs.find(({ slug }) => slug === filters.pair);
      return pair ? `${pair.send} → ${pair.receive}` : (filters.pair ?? '');
    }
    case 'operator':
      return (
        choices.operators.find(({ id }) => id === filters.operator)?.name ?? m.admin_filter_other()
      );
    case 'from':
      return `${m.ui_date_from()} ${filters.from ?? ''}`;
    case 'to':
      return `${m.ui_date_to()} ${filters.to ?? ''}`;
  }
}
