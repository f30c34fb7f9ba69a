import { openBrowser, startDesk } from './desk.ts'; import { newVisitor } from './visitor.ts'; import { publicPages } from './public-pages.ts';
const desk = await startDesk(); const b = await openBrowser(); const page = await newVisitor(b); const errs: string[]=[]; page.on('pageerror',e=>errs.push(e.message)); page.on('console',m=>{if(m.type()==='error')errs.push(m.text())});
for (const p of publicPages){ errs.length=0; await page.goto(desk.web.replace(/\/$/,'')+p,{waitUntil:'networkidle'}); console.log(p, errs.join('|')||'ok'); }
await page.goto(desk.web); const i=page.getByLabel(/You send|send/i).first(); await i.fill('1234'); await page.waitForTimeout(400); console.log((await page.locator('main').innerText()).slice(0,300).replace(/\n/g,' | '));
await b.close(); await desk.stop();
