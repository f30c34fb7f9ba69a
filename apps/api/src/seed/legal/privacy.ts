/** What a desk that works as this software does keeps of people, and why. */
import { mailLink, whoAndWhere, type Company } from './company.ts';

export function privacyBody(company: Company): string {
  return `
<p>This page says which personal data we keep when you use the desk, why, for how long, and who else sees it. Responsible for it is ${whoAndWhere(company)}. Questions and requests: ${mailLink(company)}.</p>

<h2 id="in-short">1. In short</h2>
<ul>
<li>We keep what we need to exchange your money and what the law obliges us to keep. We keep nothing for advertising.</li>
<li>We sell nothing and pass nothing on, except to those who carry out your payment and to authorities that have a right to it.</li>
<li>There are no trackers on this site, no third-party scripts and no advertising cookies.</li>
<li>Proofs of payment can be opened by you and by our operators, and by nobody else.</li>
</ul>

<h2 id="what-we-keep">2. What we keep, and why</h2>
<table>
<thead><tr><th scope="col">Data</th><th scope="col">Purpose</th><th scope="col">Legal ground</th></tr></thead>
<tbody>
<tr><th scope="row">Name, email address, language</th><td>Your account; letters about your exchanges</td><td>Contract</td></tr>
<tr><th scope="row">Password</th><td>Signing in. Kept only as an Argon2id hash, from which it cannot be read back</td><td>Contract</td></tr>
<tr><th scope="row">Exchanges: amounts, rates, account details, references, times</th><td>Carrying out and documenting each exchange</td><td>Contract; legal duty</td></tr>
<tr><th scope="row">Proofs of payment</th><td>Comparing your payment with your exchange</td><td>Contract; legal duty</td></tr>
<tr><th scope="row">Sessions: browser, network address, times</th><td>Keeping you signed in; noticing misuse</td><td>Contract; legitimate interest in security</td></tr>
<tr><th scope="row">Log of actions on your account and by our operators</th><td>Being able to show who did what</td><td>Legal duty; legitimate interest in security</td></tr>
</tbody>
</table>
<p>You need not give us any of this, but without it we can neither open an account nor pay you.</p>

<h2 id="proofs">3. Proofs of payment</h2>
<p>When you upload a picture, we show our operators a copy from which hidden information, such as where a photo was taken, has been removed. The original is kept unchanged beside it, because we may have to prove what we were shown. We compare a fingerprint of each file with earlier ones, so that the same receipt cannot be used twice. You may black out lines of a statement that have nothing to do with your payment.</p>

<h2 id="what-others-see">4. What others can see</h2>
<p>The home page lists the latest exchanges with their amounts. Instead of your name it shows your initials, and nothing else of you.</p>

<h2 id="recipients">5. Who receives data</h2>
<ul>
<li><strong>Banks and payment networks</strong> that carry out your payment and ours receive the details which that payment needs. A transaction on a public blockchain is visible to everybody and cannot be removed by anybody.</li>
<li><strong>Service providers</strong> that run our servers and deliver our email work on our instructions only.</li>
<li><strong>Authorities</strong> receive data when a law obliges us to give it, for example in a report of a suspicious transaction. We may not be allowed to tell you about such a report.</li>
</ul>
<p>If a payment goes to another country, the data which it needs goes there too.</p>

<h2 id="how-long">6. How long we keep it</h2>
<table>
<thead><tr><th scope="col">Data</th><th scope="col">Kept for</th></tr></thead>
<tbody>
<tr><th scope="row">Exchanges and their proofs</th><td>Five years after the end of the business relationship, as the law against money laundering asks; accounting records up to ten</td></tr>
<tr><th scope="row">Account data</th><td>As long as the account exists, then as long as exchanges must be kept</td></tr>
<tr><th scope="row">Sessions</th><td>At most 30 days</td></tr>
<tr><th scope="row">Server logs with network addresses</th><td>14 days</td></tr>
</tbody>
</table>
<p>After that, data is erased. Backups are overwritten within twelve further weeks.</p>

<h2 id="cookies">7. Cookies</h2>
<p>We set only what the site needs to work, so there is nothing to agree to:</p>
<dl>
<dt>The session cookie</dt>
<dd>keeps you signed in. Scripts cannot read it. The session ends when you sign out or after a time without use; the cookie, which is worth nothing then, stays at most 30 days.</dd>
<dt><code>XSRF-TOKEN</code></dt>
<dd>lets the site prove that a request really comes from its own pages.</dd>
<dt>The theme</dt>
<dd>remembers whether you chose light or dark.</dd>
<dt>After a form</dt>
<dd>for ten minutes at most, lets a page say once more what you have just done there, such as the address that a letter for a new password was asked for.</dd>
</dl>

<h2 id="security">8. How we protect it</h2>
<p>Connections are encrypted. Passwords and session keys are kept only as hashes, and secrets are sealed with a key that is not in the database. Operators sign in with accounts of their own, see what their work needs, and everything they do is recorded in a log that cannot be changed.</p>

<h2 id="your-rights">9. Your rights</h2>
<p>You may ask us at any time</p>
<ul>
<li>what we keep about you, and for a copy of it in a common format;</li>
<li>to correct what is wrong;</li>
<li>to erase what we no longer need or are no longer obliged to keep;</li>
<li>to restrict how we use it while a question about it is open;</li>
<li>to stop using it where we rely on a legitimate interest, for reasons that lie in your situation.</li>
</ul>
<p>Write to ${mailLink(company)} from the address of your account. We answer within one month. You may also complain to the data protection authority where you live or work.</p>

<h2 id="decisions">10. No automatic decisions</h2>
<p>Software compares figures and points out what looks unusual. Whether an exchange is approved or refused is always decided by a person.</p>

<h2 id="privacy-changes">11. Changes</h2>
<p>When we change what we do with your data we change this page first and give it a new version and date. If a change matters to you we also tell you by email.</p>
`.trim();
}
