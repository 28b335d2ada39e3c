import type { OpenApiDocument } from '../openapi/document-types.ts'
import { codeFigure, serverOf } from './endpoint-section.ts'
import { escapeHtml, inlineMarkup } from './markup.ts'

interface Step {
  readonly title: string
  readonly text: string
  readonly command: (server: string) => string
}

const token = `-H "Authorization: Bearer $TOKEN"`
const json = `-H 'Content-Type: application/json'`

const password = 'correct horse battery staple'

export const runIt: Step = {
  title: 'Run it',
  text: 'One command, no account and no other service. Choose the password of your first administrator; without one, the first start makes it up and prints it. Leave it running and go on in a second terminal.',
  command: () => `npm ci
ADMIN_PASSWORD='${password}' npm start`,
}

/** From a running service to a record with a history: a test runs these commands as they stand here. */
export const firstSteps: readonly Step[] = [
  {
    title: 'Log in',
    text: 'The token that comes back opens everything else. It is good for 30 days, or until it rests for 7.',
    command: (server) => `TOKEN=$(curl -s '${server}/api/login-local' \\
  ${json} \\
  -d '{"email": "admin@example.com",
       "password": "${password}"}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
echo "$TOKEN"`,
  },
  {
    title: 'Create a table',
    text: 'A table says what its records hold. Its records are at `/api/e/tickets` at once.',
    command: (server) => `curl -s '${server}/api/sys/entities' \\
  ${token} \\
  ${json} \\
  -d '{
    "name": "tickets",
    "label": "Tickets",
    "table_fields": [
      { "name": "title", "type": "text", "required": true },
      { "name": "priority", "type": "integer", "default": 3 }
    ]
  }'`,
  },
  {
    title: 'Create a record',
    text: 'The first record of a table has the id 1. Leave the title out and the answer names the field.',
    command: (server) => `curl -s '${server}/api/e/tickets' \\
  ${token} \\
  ${json} \\
  -d '{"title": "Printer out of paper"}'`,
  },
  {
    title: 'Change it',
    text: 'Send only what changes; the rest stays.',
    command: (server) => `curl -s -X PATCH '${server}/api/e/tickets/1' \\
  ${token} \\
  ${json} \\
  -d '{"priority": 1}'`,
  },
  {
    title: 'Read its history',
    text: 'Newest first, with the person, the time, and every value before and after. The change you just made is already there.',
    command: (server) => `curl -s '${server}/api/sys/history/tickets/1' \\
  ${token}`,
  },
]

const isLocal = (server: string): boolean => /^https?:\/\/(localhost|127\.0\.0\.1)(:|\/|$)/.test(server)

export function startSection(document: OpenApiDocument): string {
  const server = serverOf(document)
  const steps = [...(isLocal(server) ? [runIt] : []), ...firstSteps].map(
    ({
      title,
      text,
      command,
    }) => `<li><div class="prose"><h3>${escapeHtml(title)}</h3><p>${inlineMarkup(text)}</p></div>
<div class="code">${codeFigure('Shell', escapeHtml(command(server)))}</div></li>`,
  )
  return `<section class="start" id="getting-started" aria-labelledby="getting-started-title">
<h2 id="getting-started-title">Getting started</h2>
<p class="intro">From nothing to a record with a history, in a few commands you can paste.</p>
<ol class="steps">${steps.join('\n')}</ol>
</section>`
}
