/** The topics of messages, for the form and the inbox. */
import type { ContactTopic } from '@cambist/contract/contact';
import { m } from '#lib/paraglide/messages.js';

const words: Record<ContactTopic, () => string> = {
  exchange: m.contact_topic_exchange,
  account: m.contact_topic_account,
  rates: m.contact_topic_rates,
  press: m.contact_topic_press,
  other: m.contact_topic_other,
};

export function topicWord(topic: ContactTopic): string {
  return words[topic]();
}
