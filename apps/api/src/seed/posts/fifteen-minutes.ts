import type { DemoPost } from './demo-post.ts';

export const fifteenMinutes: DemoPost = {
  daysAgo: 47,
  title: 'Fifteen minutes: why a price is held, and why not for longer',
  slug: 'why-a-price-is-held',
  cover: 'heldPrice',
  author: 'Ines Valdivia',
  tags: ['Rates', 'How we work'],
  excerpt:
    'When you confirm an exchange, its rate stops moving for you and goes on moving for us. Somebody carries that risk. This is how we keep it small enough to be free.',
  body: () => `
<p>A quote that changes while you type your account number is not a quote. So when you confirm, the price is written down with a time beside it, and until then it is yours whatever the market does. We are often asked two things about this: what happens if the rate moves in my favour, and why is it not held for a day?</p>
<h2>What a held price is</h2>
<p>For the minutes in which it is held, a price is a promise in one direction. If the market moves against you, you still get what was written down. If it moves for you, you may let the quote run out and take a new one, and nobody will ask why. In the language of the trade you hold an option, and we wrote it without charging for it.</p>
<p>An option that is free must be short. How far a rate may travel grows with the square root of the time: what can happen in an hour is about twice what can happen in a quarter of one, and a day is worth roughly ten quarters of an hour.</p>
<h2>What we saw in a quiet month</h2>
<p>Between dollars and euros, the largest move within any window of a working day looked like this in one ordinary month:</p>
<table>
<thead><tr><th scope="col">Window</th><th scope="col">Typical move</th><th scope="col">Largest move</th></tr></thead>
<tbody>
<tr><td>15 minutes</td><td>0.03 %</td><td>0.31 %</td></tr>
<tr><td>1 hour</td><td>0.06 %</td><td>0.52 %</td></tr>
<tr><td>1 day</td><td>0.34 %</td><td>1.08 %</td></tr>
</tbody>
</table>
<p>A margin that covers the first row is one that most customers do not mind. A margin that covers the last would be a bad price for everybody, so that a few could take their time.</p>
<h2>What this means for you</h2>
<ul>
<li><strong>Have your details ready.</strong> The account to be paid out to is the part that takes longest. Once you have used it, we offer it again.</li>
<li><strong>Paying may take longer than the hold.</strong> What counts is that you confirmed in time. A transfer that is on its way is on its way at your price.</li>
<li><strong>Delayed rates are held for less.</strong> When our sources are late, the converter says so, and the hold becomes shorter. When they are too late, we give no new prices at all.</li>
</ul>
<p>The clock is on the page the whole time, and it is the server’s clock, not the one on your phone. When it runs out, nothing is lost but the price: your entries stay, and the next quote is one press away.</p>`,
};
