/** What the social networks of the footer are called. */
const names: Readonly<Record<string, string>> = {
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  telegram: 'Telegram',
  youtube: 'YouTube',
  mastodon: 'Mastodon',
};

export const networkName = (network: string): string => names[network] ?? network;
