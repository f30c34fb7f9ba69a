/** How a desk that works as this software does knows whose money it moves. */
import { escapeHtml, mailLink, type Company } from './company.ts';

export function amlPolicyBody(company: Company): string {
  return `
<p>Exchange desks are attractive to people who want to hide where money comes from. This page explains what ${escapeHtml(company.name)} does about it, what that means for you, and what we ask of you and why.</p>

<h2 id="principles">1. Principles</h2>
<ul>
<li>We want to know whose money we exchange and have a plausible idea of where it comes from.</li>
<li>Money comes from and goes to accounts in our customer’s own name.</li>
<li>We look more closely where the risk is higher, and trouble nobody without a reason.</li>
<li>No operator decides about an exchange of their own.</li>
</ul>

<h2 id="who-you-are">2. Who you are</h2>
<p>To open an account we ask for your name and a working email address. The name on the account you pay from and on the account we pay to must be yours. Depending on the amount and the channel we may also ask for</p>
<ul>
<li>a copy of an identity document and your address;</li>
<li>for companies, an extract from the register and the persons behind the company;</li>
<li>the origin of the money, for example a payslip, a sale contract or a statement of savings.</li>
</ul>

<h2 id="limits">3. Limits</h2>
<p>Each pair has limits for a single exchange, for a day and for a month. They are shown in the converter. Splitting one exchange into several in order to stay below a limit is treated like the whole.</p>

<h2 id="what-we-watch">4. What we look at</h2>
<p>Before an exchange is approved an operator sees, among other things, whether</p>
<ol>
<li>the payer’s name and the customer’s name fit together;</li>
<li>the amount, the reference and the time fit the proof;</li>
<li>the same proof has been used before, by the same or another customer;</li>
<li>the account is very new, or the amount is unusual for this customer;</li>
<li>a blockchain address is connected with theft, sanctions or services that hide the origin of coins.</li>
</ol>
<p>None of this is proof of anything. It leads to a question, and usually to a simple answer.</p>

<h2 id="who-we-do-not-serve">5. Whom we do not serve</h2>
<p>We do not exchange for persons, companies or countries under sanctions of the United Nations, the European Union or the United Kingdom, for anonymous accounts, for shell banks, or for businesses that need a licence and have none.</p>

<h2 id="holding-and-reporting">6. Holding and reporting</h2>
<p>If a suspicion remains, the exchange is held and reported to the competent authority. In that case the law may forbid us to pay out, to send the money back, and to tell you about the report. We do not like it either; it is what we owe to everybody who was robbed.</p>

<h2 id="records">7. Records</h2>
<p>We keep the records of every exchange for at least five years. Entries in our books and in the log of actions are never changed or removed. The <a href="/privacy">privacy page</a> tells what is kept about you.</p>

<h2 id="staff">8. Our people</h2>
<p>Operators are trained before they start and every year after that. A compliance officer, who does not work at the desk, answers for this policy, reviews a sample of exchanges each month and can stop any of them.</p>

<h2 id="aml-contact">9. Contact</h2>
<p>If you have been asked something and are not sure why, or if you believe that somebody uses our desk for crime, write to ${mailLink(company)}.</p>
`.trim();
}
