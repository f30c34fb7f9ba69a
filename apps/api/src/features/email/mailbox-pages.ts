/** The local mailbox as pages for people: no scripts, nothing from elsewhere. Pure. */
import { createHash } from 'node:crypto';
import { escaped } from '#kernel/escaped.ts';
import type { MailFrom } from '../../mail-server.ts';
import type { StoredEmail } from './mailbox.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
a { color: light-dark(#0b6b4c, #4cc38a); }
ul { list-style: none; margin: 1.5rem 0 0; padding: 0; }
li a { display: block; padding: .75rem 0; border-top: 1px solid color-mix(in srgb, currentColor 22%, transparent); text-decoration: none; }
li a:hover strong { text-decoration: underline; }
li span { display: block; font-size: .875rem; color: light-dark(#4b5a53, #b3c0b9); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; font-size: .875rem; margin: 1rem 0; }
dt { color: light-dark(#4b5a53, #b3c0b9); } dd { margin: 0; }
iframe { display: block; width: 100%; height: 44rem; border: 1px solid color-mix(in srgb, currentColor 22%, transparent); border-radius: .5rem; }
pre { white-space: pre-wrap; font: .875rem/1.6 ui-monospace, monospace; padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 22%, transparent); border-radius: .5rem; }
`;

/** The pages' own style, a frame from here, and nothing else. */
export const mailboxPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest(
    'base64',
  )}'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/**
 * An email's HTML: an origin of its own, no scripts, no forms, nothing loaded but the site's own
 * pictures. Its links open in a new tab, which is a page like any other.
 */
export function emailPolicy(frontendUrl: string): string {
  return `default-src 'none'; style-src 'unsafe-inline'; img-src ${new URL('/media/', frontendUrl).href}; frame-ancestors 'self'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox`;
}

export function listPage(emails: readonly StoredEmail[]): string {
  const items = emails.map(
    ({ id, subject, to, at }) =>
      `<li><a href="/dev/mail/${escaped(id)}"><strong>${escaped(subject)}</strong><span>${escaped(person(to))} · <time datetime="${escaped(at)}">${escaped(shown(at))}</time></span></a></li>`,
  );
  const body =
    items.length === 0
      ? '<p>No email has been sent yet. Sign up, or accept a price, and look again.</p>'
      : `<ul>\n${items.join('\n')}\n</ul>`;
  return page(
    'Local mailbox',
    `<h1>Local mailbox</h1>
<p>Emails of this trial desk, the newest first. They leave the machine once MAIL_URL or the mail settings name a server.</p>
${body}`,
  );
}

export function emailPage(email: StoredEmail): string {
  const { id, subject, from, to, at, message_id, text } = email;
  return page(
    subject,
    `<p><a href="/dev/mail">Local mailbox</a></p>
<h1>${escaped(subject)}</h1>
<dl><dt>From</dt><dd>${escaped(person(from))}</dd><dt>To</dt><dd>${escaped(person(to))}</dd><dt>Date</dt><dd><time datetime="${escaped(at)}">${escaped(shown(at))}</time></dd><dt>Message-ID</dt><dd>${escaped(message_id)}</dd></dl>
<h2>HTML</h2>
<iframe src="/dev/mail/${escaped(id)}/html" title="The email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>Text</h2>
<pre>${withLinks(text)}</pre>`,
  );
}

/** In the frame a link would lead into the frame, where no page of the site may be. */
export function framed({ html }: StoredEmail): string {
  return html.replace('<head>', '<head>\n<base target="_blank">');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function person({ name, address }: MailFrom): string {
  return name === '' ? address : `${name} <${address}>`;
}

function shown(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1
        ? `<a href="${escaped(part)}" target="_blank" rel="noopener">${escaped(part)}</a>`
        : escaped(part),
    )
    .join('');
}
