/** The page at `/_local/start` of a local service: where to begin. As HTML for people, as JSON for programs. */

export interface FrontPageFacts {
  readonly tenant: string
  /** The e-mail address of the first administrator. */
  readonly administrator: string
  /** Tables that exist from the beginning. */
  readonly tables: readonly { readonly name: string; readonly label: string }[]
}

const links = {
  reference: '/api/docs',
  getting_started: '/api/docs/guide/getting-started',
  tutorial: '/api/docs/guide/service-desk',
  openapi: '/api/openapi.json',
  outbox: '/_local/outbox',
  health: '/api/health',
} as const

/** The same as JSON. */
export const frontPageJson = ({ tenant, administrator, tables }: FrontPageFacts): object => ({
  success: true,
  data: {
    links,
    guides: Object.fromEntries(guides.flatMap(([, ...some]) => some.map(([name]) => [name, guideAt(name)]))),
    tenant,
    sign_in: { method: 'POST', path: '/api/login-local', body: { email: administrator, password: '...' } },
    tables: tables.map(({ name, label }) => ({ name, label, records: `/api/e/${name}` })),
  },
})

const cards = [
  [links.getting_started, 'Getting started', 'Five minutes: sign in, write a record, see a process at work.'],
  [links.tutorial, 'A service desk in 30 minutes', 'From an empty company to an answered mail, step by step.'],
  [links.reference, 'Reference and guides', 'Every endpoint with examples, and how the parts work together.'],
  [links.outbox, 'Outbox', 'Mails, SMS and messenger texts, which reach nobody here. Write as a customer.'],
] as const

type NamedGuide = readonly [name: string, title: string]

/** Each line is a topic with its guides, by their names in addresses. */
const guides: readonly (readonly [topic: string, ...NamedGuide[]])[] = [
  [
    'Data',
    ['tables-and-fields', 'Tables and field types'],
    ['fields-and-forms', 'Fields and forms'],
    ['query-language', 'Query language'],
    ['everyday', 'Everyday: views, bulk changes, undo'],
    ['files', 'Files'],
    ['time-travel', 'Time travel'],
  ],
  [
    'People',
    ['permissions', 'Permissions and row rules'],
    ['sign-in', 'Invitations and sign-in'],
    ['comments', 'Comments and watchers'],
    ['subscriptions', 'Subscriptions and preferences'],
    ['portal', 'Portal and articles'],
  ],
  [
    'Automation',
    ['hooks', 'Hooks cookbook'],
    ['processes', 'Processes'],
    ['decisions', 'Decision tables'],
    ['from-other-engines', 'From Camunda, Flowable or ServiceNow'],
    ['tasks', 'Tasks'],
  ],
  [
    'Messages',
    ['channels-and-mail', 'Channels and mail'],
    ['incoming-mail', 'Incoming mail and rules'],
    ['mailboxes', 'Mailboxes: Microsoft 365, Google, your own server'],
    ['messenger', 'Messenger'],
  ],
  [
    'In and out',
    ['import-and-export', 'Import and export'],
    ['configuration-as-code', 'Configuration as code'],
    ['failure-codes', 'Failure codes'],
  ],
]

const guideAt = (name: string): string => `/api/docs/guide/${name}`

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
    <link rel="stylesheet" href="/_local/page.css">
    <script src="/_local/start.js" defer></script>
  </head>
  <body class="start">
    <header>
      <h1>Entity and workflow service</h1>
      <p>It runs on this machine. Mails and messages that it sends stay here.</p>
    </header>
    <main>
      <nav aria-label="First steps">
        <ul class="cards">${cards.map(card).join('')}
        </ul>
      </nav>
      <section>
        <h2>Sign in</h2>
        <p>The administrator of the company <b>${text(tenant)}</b> is <b>${text(administrator)}</b>. The password is
          <code>ADMIN_PASSWORD</code> of the first start, or was printed by it. Lost it?
          <code>npm run admin -- --email ${text(administrator)}</code> prints a link for a new one.</p>
        ${example(signIn(url, administrator), 'Sign in, with your password in place of the dots')}
      </section>${tables.length > 0 ? demo(tables, url) : ''}
      <section>
        <h2>Your first own table</h2>
        <p>A table has endpoints at once: records, lists, search, history, comments, import and export.</p>
        ${example(ownTable(url), 'Make a table, and a record in it')}
      </section>
      <section>
        <h2>Guides</h2>
        <dl class="guides">${guides.map(topic).join('')}
        </dl>
        <p>For programs: the <a href="${links.openapi}">OpenAPI document</a>, the <a href="${links.health}">health</a> of the service,
          and this page as JSON.</p>
      </section>
    </main>
  </body>
</html>
`
}

const card = ([path, title, about]: (typeof cards)[number]): string => `
          <li><a href="${path}"><b>${title}</b></a><p>${about}</p></li>`

const topic = ([name, ...some]: (typeof guides)[number]): string => `
          <dt>${name}</dt><dd>${some.map(([guide, title]) => `<a href="${guideAt(guide)}">${title}</a>`).join(' ')}</dd>`

const demo = (tables: FrontPageFacts['tables'], url: string): string => `
      <section>
        <h2>The demo</h2>
        <p>A small service desk with a few records, a process that asks for approval, mail, hooks and rules. Its tables:</p>
        <ul>${tables.map(({ name, label }) => `<li>${text(label)}: <code>/api/e/${text(name)}</code></li>`).join('')}</ul>
        ${example(firstCalls(tables.at(-1)?.name ?? '', url), 'Read and write records, and see who has to approve')}
      </section>`

const signIn = (url: string, email: string): string => `TOKEN=$(curl -s ${url}/api/login-local \\
  -d '${JSON.stringify({ email, password: '...' }).replaceAll("'", "'\\''")}' |
  node -pe 'JSON.parse(require("fs").readFileSync(0)).token')
AUTH="Authorization: Bearer $TOKEN"`

const firstCalls = (table: string, url: string): string => `curl -s ${url}/api/e/${table} -H "$AUTH"
curl -s ${url}/api/e/${table} -H "$AUTH" -d '{"title": "The lamp is broken"}'
curl -s '${url}/api/sys/process-tasks?mine=true' -H "$AUTH"`

const ownTable = (url: string): string => `curl -s ${url}/api/sys/entities -H "$AUTH" -d '{
  "name": "rooms", "label": "Room", "title_field": "name",
  "table_fields": [
    { "name": "name", "label": "Name", "type": "text", "required": true },
    { "name": "seats", "label": "Seats", "type": "integer", "min": 1 }
  ]
}'
curl -s ${url}/api/e/rooms -H "$AUTH" -d '{"name": "Room 7", "seats": 12}'
curl -s '${url}/api/e/rooms?sort=-seats' -H "$AUTH"`

/** It scrolls, so it takes the focus of the keyboard. The script puts a button to copy it into the caption. */
const example = (code: string, label: string): string =>
  `<figure><figcaption>${label}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text(code)}</code></pre></figure>`

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => escapes[character] as string)
