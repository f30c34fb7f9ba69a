import type { DemoPost } from './demo-post.ts';

export const whatARateCosts: DemoPost = {
  daysAgo: 61,
  title: 'What a rate really costs',
  slug: 'what-a-rate-really-costs',
  cover: 'sum',
  author: 'Ines Valdivia',
  tags: ['Rates', 'Fees'],
  excerpt:
    '“No commission” is a sentence about one line of a sum. Here is the whole sum, and how to do it for any desk in a minute, ours included.',
  body: () => `
<p>Every desk that exchanges money lives on the difference between two numbers. There is nothing wrong with that, as long as you can see both. Many people cannot, because one of the two is never on the page.</p>
<h2>The number that is missing</h2>
<p>The mid rate is the point halfway between what the market pays for a currency and what it asks for it. Nobody trades at it. It is the zero mark on the ruler, and a customer rate is some distance away from it. That distance is the margin. A desk that charges “no commission” has put its whole price into the margin, and a desk with a tiny margin has usually put it into a fee.</p>
<p>So the only figure that compares is the last one: <strong>how much arrives for how much you send</strong>. Everything before it is arrangement.</p>
<h2>One sum, three desks</h2>
<p>Say you send 1,000 dollars and the mid rate is 0.9200 euros for a dollar. At the mid rate that would be 920.00 euros. Three invented desks, each of them honest in its own way:</p>
<table>
<thead><tr><th scope="col">Desk</th><th scope="col">Says</th><th scope="col">You receive</th><th scope="col">It costs you</th></tr></thead>
<tbody>
<tr><td>A</td><td>No commission, rate 0.8970</td><td>897.00 EUR</td><td>23.00 EUR</td></tr>
<tr><td>B</td><td>Rate 0.9195, fee 12 USD</td><td>908.46 EUR</td><td>11.54 EUR</td></tr>
<tr><td>C</td><td>Rate 0.9131, fee 2 USD</td><td>911.27 EUR</td><td>8.73 EUR</td></tr>
</tbody>
</table>
<p>The desk with the loudest promise is the dearest, and the one with the best rate is not the cheapest. Send 10,000 dollars instead and B comes out ahead, because a fixed fee shrinks as the amount grows. This is why the question “who has the best rate?” has no answer until you say for how much.</p>
<h2>How to check us</h2>
<ol>
<li>Open a pair on the <a href="/rates">rates page</a>. The mid rate stands under the customer rate, with its source and its age.</li>
<li>Enter your amount. The converter shows each line: our fee, what is exchanged, the rate, the payout fee and any rounding.</li>
<li>Multiply your amount by the mid rate. Subtract what you would receive. That is our price, all of it.</li>
</ol>
<p>We round down to what the payout currency can carry, never up, and the line that says so is part of the sum. If your result differs from ours by a cent, write to us. One of us has made a mistake, and we would like to know which.</p>`,
};
