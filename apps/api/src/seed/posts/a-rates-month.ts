import type { DemoPost } from './demo-post.ts';

export const aRatesMonth: DemoPost = {
  daysAgo: 4,
  title: 'How to read a month of a rate',
  slug: 'how-to-read-a-month-of-a-rate',
  cover: 'rateLine',
  author: 'Tessa Brandt',
  tags: ['Rates', 'Charts'],
  excerpt:
    'A chart answers one question well: is today unusual? It answers the question people bring to it, what comes next, not at all.',
  body: ({ quay }) => `
<p>Since last month every pair on our <a href="/rates">rates page</a> has a chart. Since then we have been asked, several times a day, whether it is a good moment. We do not know. Nobody who tells you that they know does either. But a chart can tell you something more modest, and it is worth a minute.</p>
<h2>Begin with the scale</h2>
<p>A chart fills its frame, whatever happened. A month in which a rate moved by a third of a percent draws the same mountains as one in which it moved by six. So read the two figures at the edge before the line: the lowest and the highest. Divide their difference by the lower one. Below two percent, between large currencies, was an ordinary month.</p>
<h2>Then find today</h2>
<p>Where does the last point stand between the two edges? Near the middle means that today is a day like others. Near an edge means that within this month it was rarely better, or rarely worse. It does not mean that it will turn. A rate at the edge of its month is at the edge because it has been going that way.</p>
<h2>What the choice is worth</h2>
<p>Take the amount you mean to exchange and multiply it by the width of the month:</p>
<table>
<thead><tr><th scope="col">You send</th><th scope="col">Width 0.5&nbsp;%</th><th scope="col">Width 2&nbsp;%</th><th scope="col">Width 6&nbsp;%</th></tr></thead>
<tbody>
<tr><td>300&nbsp;EUR</td><td>1.50&nbsp;EUR</td><td>6&nbsp;EUR</td><td>18&nbsp;EUR</td></tr>
<tr><td>2,000&nbsp;EUR</td><td>10&nbsp;EUR</td><td>40&nbsp;EUR</td><td>120&nbsp;EUR</td></tr>
<tr><td>15,000&nbsp;EUR</td><td>75&nbsp;EUR</td><td>300&nbsp;EUR</td><td>900&nbsp;EUR</td></tr>
</tbody>
</table>
<p>That is what choosing the very best day over the very worst would have brought, with perfect luck. For a small amount it is less than the worry is worth. For a large one, it can be a reason to split: half today and half in two weeks gives you the average of both days, which is never the best and never the worst.</p>
<blockquote><p>The best day is only known afterwards. The day on which you need the money is known now.</p></blockquote>
<figure><img src="${quay.path}" alt="${quay.alt}" width="${quay.width}" height="${quay.height}"><figcaption>The desk in the evening. The rates go on; we do not.</figcaption></figure>
<h2>Where our line comes from</h2>
<p>What is drawn is the mid rate, before our margin, because that is the figure you can compare with any other source. Beside the chart stands the change since the beginning of the window, and under it the same figures as a table, for those who would rather read than look.</p>`,
};
