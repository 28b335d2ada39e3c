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
  text: 'You need no account and no other service. Choose the password of the first administrator; if you set none, the first start generates and prints one. Leave the service running and continue in a second terminal.',
  command: () => `npm ci
ADMIN_PASSWORD='${password}' npm start`,
}

/** From a running service to a record with a history. A test runs these commands exactly as shown. */
export const firstSteps: readonly Step[] = [
  {
    title: 'Sign in',
    text: 'Every other request needs the token. It expires after 30 days, or after 7 days without use.',
    command: (server) => `TOKEN=$(curl -s '${server}/api/login-local' \\
  ${json} \\
  -d '{"email": "admin@example.com",
       "password": "${password}"}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
echo "$TOKEN"`,
  },
  {
    title: 'Create a table',
    text: 'A table defines the fields of its records, which are available at `/api/e/tickets` at once.',
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
    text: 'The first record of a table has the id 1. If you leave the title out, the answer names the missing field.',
    command: (server) => `curl -s '${server}/api/e/tickets' \\
  ${token} \\
  ${json} \\
  -d '{"title": "Printer out of paper"}'`,
  },
  {
    title: 'Change it',
    text: 'Send only the fields to change; the others keep their values.',
    command: (server) => `curl -s -X PATCH '${server}/api/e/tickets/1' \\
  ${token} \\
  ${json} \\
  -d '{"priority": 1}'`,
  },
  {
    title: 'Read its history',
    text: 'Newest first, with the user, the time, and every value before and after the change. Your change is already there.',
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
<p class="intro">From nothing to a record with a history in a few commands.</p>
<ol class="steps">${steps.join('\n')}</ol>
</section>`
}
