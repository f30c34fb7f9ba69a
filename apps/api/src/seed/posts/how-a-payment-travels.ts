import type { DemoPost } from './demo-post.ts';

export const howAPaymentTravels: DemoPost = {
  daysAgo: 30,
  title: 'How a payment travels, and why some take until Tuesday',
  slug: 'how-a-payment-travels',
  cover: 'ways',
  author: 'Tessa Brandt',
  tags: ['Payments'],
  excerpt:
    'Money that moves between two banks mostly does not move at all: two ledgers are changed, one after the other. What lies between them decides whether you wait a minute or a weekend.',
  body: () => `
<p>“Where is my money?” is the question we hear most, and the honest answer is often that it is in a file. Banks collect payment orders, send them to a clearing house in batches, and settle among themselves at fixed times. Between those times nothing is lost and nothing moves.</p>
<h2>The ways we use</h2>
<table>
<thead><tr><th scope="col">Way</th><th scope="col">Usually arrives</th><th scope="col">Rests on</th><th scope="col">Can be called back</th></tr></thead>
<tbody>
<tr><td>SEPA transfer</td><td>Next banking day</td><td>Weekends, bank holidays</td><td>Rarely</td></tr>
<tr><td>SEPA instant</td><td>Within ten seconds</td><td>Never</td><td>No</td></tr>
<tr><td>Dollar wire</td><td>Same day, before the cut-off</td><td>Weekends, US holidays</td><td>Before it is settled</td></tr>
<tr><td>Mobile money</td><td>Within a minute</td><td>Never</td><td>By the operator only</td></tr>
<tr><td>Stablecoin on a chain</td><td>After its confirmations</td><td>Never</td><td>No</td></tr>
</tbody>
</table>
<h2>Cut-off times</h2>
<p>A batch leaves at a certain minute, and what comes later waits for the next one. A wire ordered at a quarter past five on a Friday before a long weekend is a wire ordered on Tuesday. No one along the way has done anything wrong, and no one can make it faster. If a date matters to you, order a day earlier than you think you must.</p>
<h2>What slows a payment down</h2>
<ol>
<li><strong>A name that does not match.</strong> Many banks now compare the name with the account before they book. “T. Brandt” and “Brandt Tessa Maria” may be the same person to you and two to a machine.</li>
<li><strong>A missing reference.</strong> Your exchange has a number. With it, we match your payment in seconds; without it, a person has to search by amount and time.</li>
<li><strong>A middleman.</strong> Wires may pass through a correspondent bank, which takes its fee out of the amount. What arrives is then short, and we ask you before we go on.</li>
<li><strong>A question.</strong> Each bank must look at payments that are unusual. Unusual means unusual for that account, not suspicious.</li>
</ol>
<h2>What you can see</h2>
<p>Your exchange’s page shows each step with its time, and its status link shows the same to whoever you give it to, without your name or your account. We pay out in the order in which payments were found, and the page tells you when yours was.</p>`,
};
