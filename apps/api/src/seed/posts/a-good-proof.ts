import type { DemoPost } from './demo-post.ts';

export const aGoodProof: DemoPost = {
  daysAgo: 16,
  title: 'What makes a good proof of payment',
  slug: 'what-makes-a-good-proof-of-payment',
  cover: 'notes',
  author: 'Ines Valdivia',
  tags: ['Payments', 'How we work'],
  excerpt:
    'One picture in nine that we are sent cannot be used at the first try, nearly always for one of four reasons. All four take less than a minute to avoid.',
  body: () => `
<p>For most channels we ask you to upload a receipt once you have paid. It is not that we do not believe you. Our bank tells us that an amount has come in, but often not from whom and for what, and the receipt is what joins the two ends. When it is clear, a person needs about twenty seconds for it. When it is not, we have to write to you, and you have to find it again.</p>
<h2>What must be on it</h2>
<ul>
<li>the <strong>amount</strong> and its currency,</li>
<li>the <strong>date and time</strong> of the payment,</li>
<li>the <strong>recipient</strong>, as it stands on your exchange’s page,</li>
<li>the <strong>reference</strong>: the number of your exchange,</li>
<li>and that the payment was <strong>carried out</strong>, not only entered.</li>
</ul>
<h2>The four usual troubles</h2>
<h3>It shows an order, not a payment</h3>
<p>Many apps show a page that looks finished before the payment is released. Look for a word such as “executed”, “completed” or “booked”, or for a transaction number.</p>
<h3>It is a photograph of a screen</h3>
<p>Stripes, reflections and a thumb. Take a screenshot instead, or better, let your bank’s app make a PDF. We take JPEG, PNG, WebP and PDF.</p>
<h3>It is cropped to the amount</h3>
<p>It is kind of you to leave out the rest, but the rest is what we need. Your balance is no business of ours: cover it if you like, and nothing else.</p>
<h3>It is last month’s</h3>
<p>If you send the same amount each month, last month’s receipt looks just like this month’s. We compare files, so the same one is found out at once; nobody thinks worse of you for it, but we do have to ask.</p>
<h2>What we do with it</h2>
<p>Your file is redrawn before anyone sees it, so that whatever else was hidden in it stays behind: the place where a photograph was taken, for instance. It is kept where only the desk can open it, and for as long as the law asks us to keep it; the <a href="/privacy">privacy page</a> names the time. You can take back an upload and send another for as long as nobody has begun to look at it.</p>
<p>Channels where the payment can be seen by everyone need no picture at all. There you tell us the transaction’s number, and we look for ourselves.</p>`,
};
