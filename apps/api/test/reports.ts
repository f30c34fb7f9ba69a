/** Reports about letters, as the usual mail servers write them. The wire's line ends are put in at the end. */

export interface ReportAbout {
  /** The address that the report goes to: the sender of the letter's envelope. */
  readonly to: string;
  /** Whom the letter was for. */
  readonly recipient: string;
  readonly action?: string;
  readonly status?: string;
  /** The other server's words. */
  readonly said?: string;
  /** The letter, or its beginning. */
  readonly letter?: string;
}

const wire = (text: string) => Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'));
const subject = 'Message-ID: <1@desk.test>\nSubject: Rates in May';

export function postfixReport({
  to,
  recipient,
  action = 'failed',
  status = '5.1.1',
  said = `smtp; 550 5.1.1 <${recipient}>: Recipient address rejected:\n    User unknown in virtual mailbox table`,
  letter = `Return-Path: <${to}>\n${subject}\n\nHello`,
}: ReportAbout): Buffer {
  return wire(`Return-Path: <>
Received: by mx.example.com (Postfix)
\tid 4F2B81C0A3; Tue,  5 May 2026 10:00:00 +0000 (UTC)
Date: Tue,  5 May 2026 10:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4F2B81C0A2.1777975200/mx.example.com"
Message-Id: <20260505100000.4F2B81C0A3@mx.example.com>

This is a MIME-encapsulated message.

--4F2B81C0A2.1777975200/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.com.

--4F2B81C0A2.1777975200/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4F2B81C0A2
X-Postfix-Sender: rfc822; ${to}
Arrival-Date: Tue,  5 May 2026 09:59:58 +0000 (UTC)

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient.replaceAll('+', '+2B')}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.elsewhere.example
Diagnostic-Code: ${said}

--4F2B81C0A2.1777975200/mx.example.com
Content-Description: Undelivered Message
Content-Type: message/rfc822

${letter}

--4F2B81C0A2.1777975200/mx.example.com--
`);
}

const eximHead = (to: string, recipient: string) => `Return-path: <>
Envelope-to: ${to}
X-Failed-Recipients: ${recipient}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mail.example.com>
To: ${to}
`;

export function eximReport({ to, recipient }: ReportAbout): Buffer {
  return wire(`${eximHead(to, recipient)}References: <1@desk.test>
Content-Type: multipart/report; report-type=delivery-status; boundary=1777975200-eximdsn-804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1777975200-eximdsn-804289383
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

--1777975200-eximdsn-804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mail.example.com

Action: failed
Final-Recipient: rfc822;${recipient}
Status: 5.0.0
Remote-MTA: dns; mx.elsewhere.example
Diagnostic-Code: smtp; 550 No such user here

--1777975200-eximdsn-804289383
Content-type: message/rfc822

Return-path: <${to}>
${subject}

--1777975200-eximdsn-804289383--
`);
}

/** As Exim wrote until 4.8, and some still do: no delivery status at all. */
export function oldEximReport({ to, recipient }: ReportAbout): Buffer {
  return wire(`${eximHead(to, recipient)}Subject: Mail delivery failed: returning message to sender

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${recipient}
    host mx.elsewhere.example [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<${recipient}>:
    550 5.1.1 No such user

------ This is a copy of the message, including all the headers. ------

${subject}
`);
}

export function gmailReport({ to, recipient }: ReportAbout): Buffer {
  return wire(`Delivered-To: ${to}
Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: ${to}
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
X-Failed-Recipients: ${recipient}
MIME-Version: 1.0
Content-Type: multipart/report; boundary="000000000000a1b2c305f5d6e7f8"; report-type=delivery-status

--000000000000a1b2c305f5d6e7f8
Content-Type: multipart/related; boundary="000000000000a1b2d705f5d6e7f9"

--000000000000a1b2d705f5d6e7f9
Content-Type: multipart/alternative; boundary="000000000000a1b2e405f5d6e7fa"

--000000000000a1b2e405f5d6e7fa
Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

** Address not found **

Your message wasn't delivered because the address couldn't be found.

--000000000000a1b2e405f5d6e7fa
Content-Type: text/html; charset="UTF-8"

<html><body>Address not found</body></html>
--000000000000a1b2e405f5d6e7fa--
--000000000000a1b2d705f5d6e7f9--
--000000000000a1b2c305f5d6e7f8
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Arrival-Date: Tue, 05 May 2026 03:00:00 -0700 (PDT)
X-Original-Message-ID: <1@desk.test>

Final-Recipient: rfc822; ${recipient}
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.27, the server for the domain gmail.com.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550 5.1.1  https://support.google.com/mail/?p=NoSuchUser a640c23a62f3a-c77bb1be5e4si1 - gsmtp
Last-Attempt-Date: Tue, 05 May 2026 03:00:01 -0700 (PDT)

--000000000000a1b2c305f5d6e7f8
Content-Type: message/rfc822

${subject}

--000000000000a1b2c305f5d6e7f8--
`);
}

/** Exchange and Outlook name the letter's headers alone, in a part of their own. */
export function exchangeReport({ to, recipient }: ReportAbout): Buffer {
  return wire(`From: <postmaster@outlook.example>
To: <${to.toUpperCase()}>
Date: Tue, 5 May 2026 10:00:01 +0000
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="6fd5b7c2-9a4e-4c5a-8d2f-1b0e3a7c9d11"
Content-Language: en-US
X-MS-Exchange-Message-Is-Ndr:
Subject: Undeliverable: Rates in May
Auto-Submitted: auto-replied
MIME-Version: 1.0

--6fd5b7c2-9a4e-4c5a-8d2f-1b0e3a7c9d11
Content-Type: multipart/alternative; differences=Content-Type;
\tboundary="0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0"

--0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: base64

WW91ciBtZXNzYWdlIGNvdWxkbid0IGJlIGRlbGl2ZXJlZC4=
--0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0--

--6fd5b7c2-9a4e-4c5a-8d2f-1b0e3a7c9d11
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01MB0001.eurprd01.prod.exchangelabs.com
Received-From-MTA: dns;mail.desk.test
Arrival-Date: Tue, 5 May 2026 10:00:00 +0000

Final-Recipient: rfc822;${recipient}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup

--6fd5b7c2-9a4e-4c5a-8d2f-1b0e3a7c9d11
Content-Type: text/rfc822-headers

${subject}

--6fd5b7c2-9a4e-4c5a-8d2f-1b0e3a7c9d11--
`);
}

/** A reader's "this is spam" (RFC 5965); the provider names the letter's sender, and not the reader. */
export function complaintReport({ to }: ReportAbout, type = 'abuse'): Buffer {
  return wire(`From: <feedback@provider.example>
To: <complaints@desk.test>
Subject: FW: Rates in May
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
\tboundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <${to}>

--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

${subject}

Hello
--part1_13d.2e68ed54_boundary--
`);
}

export function message(to: string, headers: readonly string[], text = 'I am away.'): Buffer {
  return wire(`From: <reader@example.com>\nTo: <${to}>\n${headers.join('\n')}\n\n${text}\n`);
}
