/** The page at `/` of a local service: where to begin. As HTML for people, as JSON for programs. */

export interface FrontPageFacts {
  readonly tenant: string
  /** The e-mail address of the first administrator. */
  readonly administrator: string
  /** Tables that exist from the beginning. */
  readonly tables: readonly { readonly name: string; readonly label: string }[]
}

const links = {
  reference: '/api/docs',
  openapi: '/api/openapi.json',
  outbox: '/_local/outbox',
  health: '/api/health',
} as const

/** The same as JSON. */
export const frontPageJson = ({ tenant, administrator, tables }: FrontPageFacts): object => ({
  success: true,
  data: {
    links,
    tenant,
    sign_in: { method: 'POST', path: '/api/login-local', body: { email: administrator, password: '...' } },
    tables: tables.map(({ name, label }) => ({ name, label, records: `/api/e/${name}` })),
  },
})

const cards = [
  [links.reference, 'Reference and guides', 'Every endpoint with examples, and how the parts work together.'],
  [links.outbox, 'Outbox', 'Mails, SMS and messenger texts, which reach nobody here, and a copy of every webhook.'],
  [links.openapi, 'OpenAPI document', 'The reference for programs: clients, editors, tests.'],
] as const

/** `url` is the address the reader used, as the examples name it. */
export function frontPageHtml({ tenant, administrator, tables }: FrontPageFacts, url: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Entity and workflow service</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/_local/front-page.css">
  </head>
  <body>
    <header>
      <h1>Entity and workflow service</h1>
      <p>It runs on this machine. Mails and messages that it sends stay here.</p>
    </header>
    <main>
      <nav aria-label="Pages">
        <ul class="cards">${cards.map(card).join('')}
        </ul>
      </nav>
      <section>
        <h2>Sign in</h2>
        <p>The administrator of <b>${text(tenant)}</b> is <b>${text(administrator)}</b>. The password is
          <code>ADMIN_PASSWORD</code> of the first start, or was printed by it. Lost it?
          <code>npm run admin -- --email ${text(administrator)}</code> prints a link for a new one.</p>
        ${example(signIn(url, administrator), 'Sign in with curl')}
      </section>${tables.length > 0 ? demo(tables, url) : ''}
    </main>
  </body>
</html>
`
}

const card = ([path, title, about]: (typeof cards)[number]): string => `
          <li><a href="${path}"><b>${title}</b></a><p>${about}</p></li>`

const demo = (tables: FrontPageFacts['tables'], url: string): string => `
      <section>
        <h2>The demo</h2>
        <p>A small service desk with a few records, a process that asks for approval, hooks and rules. Its tables:</p>
        <ul>${tables.map(({ name, label }) => `<li>${text(label)}: <code>/api/e/${text(name)}</code></li>`).join('')}</ul>
        ${example(firstCalls(tables.at(-1)?.name ?? '', url), 'Read and write with curl')}
      </section>`

const signIn = (url: string, email: string): string => `TOKEN=$(curl -s ${url}/api/login-local \\
  -d '${JSON.stringify({ email, password: '...' }).replaceAll("'", "'\\''")}' |
  node -pe 'JSON.parse(require("fs").readFileSync(0)).token')`

const firstCalls = (
  table: string,
  url: string,
): string => `curl -s ${url}/api/e/${table} -H "Authorization: Bearer $TOKEN"
curl -s ${url}/api/e/${table} -H "Authorization: Bearer $TOKEN" -d '{"title":"The lamp is broken"}'`

/** It scrolls, so it takes the focus of the keyboard. */
const example = (code: string, label: string): string =>
  `<pre tabindex="0" role="region" aria-label="${label}"><code>${text(code)}</code></pre>`

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => escapes[character] as string)
