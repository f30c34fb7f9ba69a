/**
 * The one template: an email as HTML and as text, from the same words. Pure.
 * Everything is escaped; styles stand at the elements, because some mailboxes
 * drop style sheets, and a sheet adds the dark theme where mailboxes leave it.
 */
import { escaped } from '#kernel/escaped.ts';
import type { EmailContent, Fact } from './email.ts';

export interface Frame {
  readonly siteName: string;
  /** Of the company behind the site; lines that are empty are left out. */
  readonly company: readonly string[];
  readonly recipient: string;
  /** The action's address in full, with its token. */
  readonly url: string | null;
  /** The plain link's, with its token. */
  readonly linkUrl: string | null;
  /** The other plain link's. */
  readonly moreUrl: string | null;
  /** The desk's own address, shown where the recipient must write to it. */
  readonly contactEmail: string;
}

export interface RenderedEmail {
  readonly html: string;
  readonly text: string;
}

const FONT =
  "font-family:'IBM Plex Sans',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The site's own colours; `!important`, since a sheet must beat what stands at the elements. */
const SHEET = `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:#0b6b4c}
@media (prefers-color-scheme:dark){
.paper{background:#0e1512!important}
.surface{background:#141d19!important;border-color:#243029!important}
.ink{color:#e9eeeb!important}
.ink-2{color:#b3c0b9!important}
.rule{border-color:#243029!important}
.button{background:#4cc38a!important}
.button a{color:#06140d!important}
a{color:#4cc38a!important}
}`;

export function renderTemplate(given: EmailContent, frame: Frame): RenderedEmail {
  const subject = withoutOverrides(given.subject);
  const heading = withoutOverrides(given.heading);
  const content = { ...given, subject, preview: withoutOverrides(given.preview), heading };
  return { html: htmlOf(content, frame), text: textOf(content, frame) };
}

function htmlOf(content: EmailContent, frame: Frame): string {
  const {
    subject,
    preview,
    heading,
    paragraphs,
    body,
    facts = [],
    action,
    link,
    more,
    note,
    contact,
  } = content;
  const parts = [
    `<h1 class="ink" dir="auto" style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600;color:#12211b">${escaped(heading)}</h1>`,
    ...paragraphs.map(
      (text) =>
        `<p class="ink" dir="auto" style="margin:0 0 16px;font-size:16px;line-height:1.55;color:#12211b">${escaped(text)}</p>`,
    ),
    ...(body ? [body.html] : []),
    ...(facts.length > 0 ? [factsTable(facts)] : []),
    ...(action && frame.url ? [button(action.label, frame.url)] : []),
    ...(link && frame.linkUrl ? [plainLink(link.label, frame.linkUrl)] : []),
    ...(more && frame.moreUrl ? [plainLink(more.label, frame.moreUrl)] : []),
    ...(note
      ? [
          `<p class="ink-2" dir="auto" style="margin:24px 0 0;font-size:14px;line-height:1.55;color:#4b5a53">${escaped(note)}</p>`,
        ]
      : []),
    ...(contact ? [contactLine(contact, frame.contactEmail)] : []),
  ];
  return `<!doctype html>
<html lang="${escaped(content.language ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(subject)}</title>
<style>
${SHEET}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#fbfaf6;${FONT};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(preview)}${FILLER}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper" style="background:#fbfaf6">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" dir="auto" style="padding:0 4px 16px;font-size:17px;font-weight:600;color:#12211b;${BREAKING}">${escaped(frame.siteName)}</td></tr>
<tr><td class="surface" style="padding:28px 24px;background:#ffffff;border:1px solid #e2ded3;border-radius:12px;${BREAKING}">
${parts.join('\n')}
</td></tr>
<tr><td class="ink-2" style="padding:16px 4px 0;font-size:13px;line-height:1.5;color:#4b5a53;${BREAKING}">${footerOf(frame).map(escaped).join('<br>')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** A long address must not make an email wider than a telephone. */
const BREAKING = 'word-break:break-word;overflow-wrap:anywhere';

/** Keeps a mailbox from showing the email's first lines after the preview. */
const FILLER = '&#8199;&#65279;&#847; '.repeat(40);

function factsTable(facts: readonly Fact[]): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th scope="row" class="ink-2 rule" align="left" valign="top" style="padding:8px 16px 8px 0;border-top:1px solid #e2ded3;font-size:14px;line-height:1.5;font-weight:400;color:#4b5a53;width:38%">${escaped(label)}</th>` +
      `<td class="ink rule" dir="auto" align="left" valign="top" style="padding:8px 0;border-top:1px solid #e2ded3;font-size:15px;line-height:1.5;color:#12211b;font-variant-numeric:tabular-nums">${escaped(value)}</td></tr>`,
  );
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px;border-collapse:collapse">
${rows.join('\n')}
</table>`;
}

/** A link that looks like a button, and the same address to copy where it does not work. */
function button(label: string, url: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr><td class="button" style="background:#0b6b4c;border-radius:8px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 22px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escaped(label)}</a></td></tr></table>
<p class="ink-2" style="margin:0;font-size:13px;line-height:1.5;color:#4b5a53">Or open this address: <a href="${escaped(url)}" style="word-break:break-all">${escaped(url)}</a></p>`;
}

function plainLink(label: string, url: string): string {
  return `<p class="ink-2" style="margin:16px 0 0;font-size:13px;line-height:1.5;color:#4b5a53">${escaped(label)}: <a href="${escaped(url)}" style="word-break:break-all">${escaped(url)}</a></p>`;
}

/** A mailto link, and the address as text for mailboxes that follow none. */
function contactLine(label: string, email: string): string {
  const url = `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
  return `<p class="ink-2" style="margin:8px 0 0;font-size:14px;line-height:1.55;color:#4b5a53">${escaped(label)}: <a href="${escaped(url)}">${escaped(email)}</a></p>`;
}

function textOf(content: EmailContent, frame: Frame): string {
  const { heading, paragraphs, body, facts = [], action, link, more, note, contact } = content;
  const blocks = [
    heading,
    ...paragraphs,
    ...(body ? [body.text] : []),
    ...(facts.length > 0 ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(action && frame.url ? [`${action.label}:\n${frame.url}`] : []),
    ...(link && frame.linkUrl ? [`${link.label}:\n${frame.linkUrl}`] : []),
    ...(more && frame.moreUrl ? [`${more.label}:\n${frame.moreUrl}`] : []),
    ...(note ? [note] : []),
    ...(contact ? [`${contact}: ${frame.contactEmail}`] : []),
    // The mark after which a mailbox knows that the signature begins (RFC 3676, section 4.3).
    ['-- ', ...footerOf(frame)].join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function footerOf({ siteName, company, recipient }: Frame): string[] {
  const lines = [...new Set([siteName, ...company])].filter((line) => line !== '');
  return [lines.join(' · '), `This email was sent to ${recipient}.`];
}

const MAX_HEADER_CHARACTERS = 200;

/**
 * One line of visible text: a line break in a name or subject would begin another header, and a
 * direction override would turn the mailbox's own words.
 */
export function oneLine(text: string): string {
  const flat = withoutOverrides(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...flat].slice(0, MAX_HEADER_CHARACTERS).join('');
}

/** Without the characters that turn the direction of the text behind them. */
function withoutOverrides(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}
