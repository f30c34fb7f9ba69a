/** Names of the social networks in the footer. */
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
