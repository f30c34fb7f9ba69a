/** The terms of service of a desk that works as this software does. */
import { escapeHtml, mailLink, whoAndWhere, type Company } from './company.ts';

export function termsBody(company: Company): string {
  const name = escapeHtml(company.name);
  return `
<p>These terms are the agreement between you and ${whoAndWhere(company)} (“${name}”, “we”). They say what you can expect from us when you exchange money here, and what we expect from you. Please read them before you open an account. If something is unclear, ask us first: ${mailLink(company)}.</p>

<h2 id="the-service">1. The service</h2>
<p>We exchange one currency for another. You send money to an account of ours through one channel, for example a bank transfer, and we pay the agreed amount out to you through another. We trade with you for our own account: the price we show is our price, not a recommendation, and we give no advice on whether or when to exchange.</p>
<p>We offer the pairs, limits and channels that the site shows at the time. We may add, pause or withdraw any of them for new exchanges at any moment. An exchange that you have already created is not affected.</p>

<h2 id="your-account">2. Your account</h2>
<ul>
<li>You must be at least 18 years old and act for yourself, or be authorised to act for the company you name.</li>
<li>You need one account, with your own name and an email address that you can read. Don’t share it and don’t open a second one.</li>
<li>Keep your password to yourself. Tell us at once if you believe that somebody else knows it. Until you do, we may rely on what is done with your account.</li>
<li>You may close your account at any time once no exchange of yours is open. We keep the records that the law asks us to keep; the <a href="/privacy">privacy page</a> lists them.</li>
</ul>

<h2 id="price">3. Rate, margin and fees</h2>
<p>Before you accept a price we show you everything it is made of:</p>
<table>
<thead><tr><th scope="col">Part</th><th scope="col">What it is</th></tr></thead>
<tbody>
<tr><th scope="row">Mid rate</th><td>The market’s rate between the two currencies, with its source and time.</td></tr>
<tr><th scope="row">Margin</th><td>Our share, in percent of the mid rate. It is already part of the rate we show you.</td></tr>
<tr><th scope="row">Fee</th><td>A fixed amount, a percentage or both, on its own line.</td></tr>
<tr><th scope="row">Payout</th><td>What arrives: the amount you send, less the fee, times the rate, rounded down to the smallest unit of the currency you receive.</td></tr>
</tbody>
</table>
<p>There are no other charges of ours. Your bank, or a network you send through, may charge you for sending; that is between you and them, and the full amount must reach us.</p>

<h2 id="quotes">4. Quotes and the lock</h2>
<p>A quote is our offer for one pair and one amount. It can be accepted once, until the time that it shows. When you accept it, the rate, the fees and both amounts are fixed for that exchange, and we set your payout aside from our reserve. If the reserve has become too small in the meantime we tell you so at once and nothing is agreed.</p>
<p>A rate that is plainly wrong, for example because a decimal point was misplaced, binds neither of us. If that happens we tell you without delay, pay nothing out, and send back everything we have received.</p>

<h2 id="paying">5. Paying us</h2>
<ol>
<li>Send exactly the amount shown, in one payment, from an account or wallet in your own name.</li>
<li>Use the reference shown with the payment details. It is how we find your money.</li>
<li>Pay before the time under “Pay by”. Only the payment details shown for this exchange count: they may change from one exchange to the next.</li>
<li>Then tell us that you have paid and upload a proof: a receipt, a statement line or a photo of a slip. It must be genuine, readable and unaltered.</li>
</ol>
<p>After you have told us that you paid you can take that back once, for a few minutes, as long as nobody has begun to check it.</p>

<h2 id="checking">6. Checking and payout</h2>
<p>An operator compares what has arrived with your exchange. When it fits, they approve it, and we pay out to the account that you gave us. You see each step on the page of your exchange, and the reference of our payment once it is made. We check during desk hours, usually within an hour; how long the payout then takes depends on its channel, and the expected time is shown with each currency.</p>
<p>We pay to the details you entered. Please check them: a payment to a wrong but existing account, or to a wrong address on a blockchain, can often not be brought back.</p>

<h2 id="late-or-different">7. Late, missing or different payments</h2>
<ul>
<li><strong>No payment.</strong> An exchange that was not paid in time expires by itself. You owe nothing, and the payout we had set aside is free again.</li>
<li><strong>Late payment.</strong> If your money arrives after that, we either take the exchange up again at a rate that we agree with you, or send the money back.</li>
<li><strong>Another amount.</strong> If more or less arrives than agreed, the operator settles it with you: by recalculating at the agreed rate, by sending the difference back, or by asking for what is missing.</li>
<li><strong>Somebody else’s money.</strong> A payment from an account that is not yours is sent back to where it came from.</li>
</ul>
<p>Money that we send back goes to the account it came from, less what the banks or networks charge for it, and nothing else.</p>

<h2 id="cancelling">8. Cancelling</h2>
<p>You may cancel an exchange for any reason as long as you have not paid. Once the rate is locked and your payment has reached us, the exchange is carried out and can no longer be withdrawn, because its price depends on the market at that moment.</p>

<h2 id="refusing">9. When we may refuse or stop</h2>
<p>We may refuse an exchange, ask for further information or hold a payout when the law requires it, when a payment or a proof does not fit together, or when we have good reason to suspect fraud or money laundering. We tell you why, unless the law forbids us to. Our <a href="/aml-policy">policy against money laundering</a> explains what we look at.</p>
<p>We may close an account that is used against these terms. Open exchanges are then finished or their money is sent back.</p>

<h2 id="forbidden">10. What is not allowed</h2>
<p>You may not use the desk for somebody else’s money without telling us, for proceeds of crime, to get around sanctions, to pay for unlawful goods, or with forged proofs. You may not try to reach other people’s data or to disturb the service. If you find a weakness, please write to us before anybody else; we are grateful and will not pursue honest research.</p>

<h2 id="liability">11. What we answer for</h2>
<p>We answer for carrying out an approved exchange as agreed. If we pay out late through our own fault we make good the loss that this directly caused. We do not answer for delays and faults of banks, networks and others that we cannot control, or for profit that you hoped to make. Nothing in these terms limits what we answer for by law, in particular for intent, gross negligence or harm to persons.</p>

<h2 id="taxes">12. Taxes</h2>
<p>You are responsible for your own taxes. You can download the list of your exchanges, with amounts, rates and times, from your account.</p>

<h2 id="complaints">13. Complaints</h2>
<p>If something went wrong, write to ${mailLink(company)} with the number of your exchange. We confirm within one working day and answer within fifteen. If we cannot agree, you may turn to the ombudsman or the authority that is responsible for payment services where you live.</p>

<h2 id="changes">14. Changes to these terms</h2>
<p>For each exchange those terms apply that were in force when you created it. When we change them we publish the new version here, with its date, and tell account holders at least thirty days before. If you do not agree you may close your account until then at no cost.</p>

<h2 id="law">15. Law and language</h2>
<p>The law of the place where ${name} has its seat applies. If you are a consumer, you keep the protection of the mandatory rules of the country you live in, and you may go to the courts there. If one of these terms is void, the others remain in force. The English text is the binding one.</p>
`.trim();
}
